import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { EventProbe } from './event-probe.ts';
import { HintQueue } from './hint-queue.ts';
import { isNetworkRoot } from './network-root.ts';
import { codeOf, lookAtRoot, type RootSight } from './root-identity.ts';
import { type Backend, type CreateWatcher, type TreeWatch, watchTree } from './tree-watch.ts';
import type { Health } from './watch-messages.ts';
import { faultReason, lossReason, type PollingCause, pollingReason } from './watch-reasons.ts';
import type { TreeEvent, WatchedTree } from './watched-tree.ts';

export type RootWatchOptions<Hint> = {
  tree: WatchedTree<Hint>;
  /** Absolute path; need not exist. */
  root: string;
  onHints: (hints: Hint[]) => void;
  onHealth: (health: Health) => void;
  /** Something went wrong that health alone does not tell; for the log. */
  onProblem: (message: string) => void;
  /** See {@link watchTree}. */
  createWatcher?: CreateWatcher;
};

/** Ms between two looks at the root itself. */
const lookInterval = 1000;
/** Ms between two complete looks while changes may be missed. */
const sweepInterval = 30_000;
/** Ms after which what failed is tried again: parts that could not be read, and the system's watches after a limit. */
const partRetry = 2000;
const limitRetry = 600_000;
/** A look that comes this many ms late means that the machine slept or stood still. */
const sleepGap = 10_000;

const limitCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EMFILE', 'ENFILE']);

/**
 * Keeps one root watched whatever happens to it: absent, moved away, replaced, full of unreadable parts, or on a system
 * that has no watches left. It looks at the root once a second (a few `stat` calls) and leaves the rest to events.
 */
export class RootWatch<Hint> {
  readonly #options: RootWatchOptions<Hint>;
  readonly #tree: WatchedTree<Hint>;
  readonly #queue: HintQueue<Hint>;
  readonly #probe = new EventProbe();
  #watch: TreeWatch | null = null;
  #identity: string | null = null;
  /** The root with links resolved, once, as everything else in the program does it. */
  #resolvedRoot: string | null = null;
  #ready = false;
  #sight: RootSight | null = null;
  /** Whether the root was there in this run: only then can it be missed. */
  #seen = false;
  #polling: PollingCause | null = null;
  /** Parts that could not be watched: path below the root, and the code of the failure. */
  readonly #faults = new Map<string, string>();
  #faultsSince = 0;
  #limitSince = 0;
  #reopen = false;
  /** By the wall clock: the other one stands still while the machine sleeps. */
  #lastLook = Date.now();
  #lastSweep = performance.now();
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #again = false;
  #disposed = false;
  #health: Health = { state: 'starting', reason: null };

  constructor(options: RootWatchOptions<Hint>) {
    this.#options = options;
    this.#tree = options.tree;
    this.#queue = new HintQueue(options.tree, options.onHints);
    this.#look();
  }

  /** Asks for a complete look, and tries again what had failed. */
  rescan(): void {
    if (this.#disposed) return;
    if (this.#polling === 'limit' || this.#polling === 'silent') this.#tryNative();
    if (this.#faults.size > 0) this.#reopen = true;
    this.#queue.pushHint(this.#tree.all);
    this.#look();
  }

  /** Resolves when every handle and timer is gone; nothing is called afterwards. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#queue.dispose();
    await this.#running;
    await this.#closeTree();
  }

  /** Looks at the root now; a look that is under way is followed by another. */
  #look(): void {
    if (this.#disposed) return;
    if (this.#running !== null) {
      this.#again = true;
      return;
    }
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#running = this.#lookOnce()
      .catch((error: unknown) => this.#options.onProblem(`Looking at the ${this.#tree.name} failed: ${String(error)}`))
      .then(() => {
        this.#running = null;
        if (this.#disposed) return;
        if (this.#again) {
          this.#again = false;
          this.#look();
          return;
        }
        this.#timer = setTimeout(() => this.#look(), lookInterval);
      });
  }

  async #lookOnce(): Promise<void> {
    const now = performance.now();
    if (Date.now() - this.#lastLook > sleepGap) this.#queue.pushHint(this.#tree.all);
    this.#lastLook = Date.now();
    const sight = await lookAtRoot(this.#resolvedRoot ?? this.#options.root, this.#tree.probed);
    if (this.#disposed) return;
    this.#sight = sight;
    this.#seen ||= sight.state === 'present';
    if (sight.state !== 'present') {
      if (sight.state === 'unknown' && lossReason(this.#tree.name, sight) !== this.#health.reason)
        this.#options.onProblem(sight.error.message);
      await this.#loseRoot();
      return;
    }
    this.#resolvedRoot ??= sight.root;
    await this.#retryFailures(now);
    this.#probeEvents(sight);
    if (this.#watch === null || this.#reopen || sight.identity !== this.#identity) await this.#openTree(sight);
    this.#sweep(now);
    this.#publishHealth();
  }

  async #loseRoot(): Promise<void> {
    const had = this.#watch !== null;
    await this.#closeTree();
    this.#identity = null;
    this.#faults.clear();
    if (had) this.#queue.pushHint(this.#tree.all);
    this.#publishHealth();
  }

  async #openTree(sight: Extract<RootSight, { state: 'present' }>): Promise<void> {
    await this.#closeTree();
    if (this.#disposed) return;
    this.#reopen = false;
    this.#faults.clear();
    this.#identity = sight.identity;
    await this.#preferPollingOnNetwork(sight.root);
    if (this.#disposed) return;
    const backend: Backend = this.#polling === null ? 'native' : 'polling';
    const watch = watchTree({
      tree: this.#tree,
      root: sight.root,
      backend,
      onEvent: (event) => this.#onEvent(event),
      onReady: () => this.#onReady(),
      onError: (error) => this.#onError(error),
      ...(this.#options.createWatcher && { createWatcher: this.#options.createWatcher }),
    });
    this.#watch = watch;
    if (watch.backend === 'polling') this.#polling ??= 'forced';
  }

  async #preferPollingOnNetwork(root: string): Promise<void> {
    if (this.#polling !== null && this.#polling !== 'network') return;
    try {
      this.#polling = (await isNetworkRoot(root)) ? 'network' : null;
    } catch (error) {
      // Without an answer the system's events are tried; the probe finds out if none come.
      this.#options.onProblem(`The file system of the ${this.#tree.name} is not known: ${String(error)}`);
    }
  }

  async #closeTree(): Promise<void> {
    const watch = this.#watch;
    this.#watch = null;
    this.#ready = false;
    this.#probe.reset();
    try {
      await watch?.dispose();
    } catch (error) {
      this.#options.onProblem(`A watch did not close cleanly: ${String(error)}`);
    }
  }

  #onEvent(event: TreeEvent): void {
    this.#probe.saw(event);
    this.#queue.push(event);
    if (event.segments.length === 0) this.#look();
  }

  #onReady(): void {
    this.#ready = true;
    // Whatever changed between the last read and this moment was seen by nobody.
    this.#queue.pushHint(this.#tree.all);
    this.#publishHealth();
  }

  #onError(error: Error): void {
    const code = codeOf(error);
    if (limitCodes.has(code)) {
      this.#fallBack('limit');
      return;
    }
    const part = this.#partOf(error);
    if (this.#faults.get(part) === code) return;
    this.#options.onProblem(`${code} while watching: ${error.message}`);
    if (this.#faults.size === 0) this.#faultsSince = performance.now();
    this.#faults.set(part, code);
    this.#queue.pushHint(this.#tree.all);
    this.#publishHealth();
  }

  /** Path below the root that an error is about, with `/`; empty when it names none. */
  #partOf(error: Error): string {
    if (!('path' in error) || typeof error.path !== 'string' || this.#resolvedRoot === null) return '';
    const relative = path.relative(this.#resolvedRoot, error.path);
    return relative.startsWith('..') || path.isAbsolute(relative) ? '' : relative.split(path.sep).join('/');
  }

  #fallBack(cause: PollingCause): void {
    if (this.#polling !== null) return;
    this.#polling = cause;
    this.#limitSince = performance.now();
    this.#reopen = true;
    this.#queue.pushHint(this.#tree.all);
    this.#publishHealth();
    this.#look();
  }

  #tryNative(): void {
    this.#polling = null;
    this.#reopen = true;
  }

  async #retryFailures(now: number): Promise<void> {
    if (this.#polling === 'limit' && now - this.#limitSince >= limitRetry) this.#tryNative();
    if (this.#faults.size === 0 || now - this.#faultsSince < partRetry) return;
    this.#faultsSince = now;
    const readable = await Promise.all([...this.#faults.keys()].map((part) => this.#isReadable(part)));
    if (readable.includes(true)) this.#reopen = true;
  }

  async #isReadable(part: string): Promise<boolean> {
    try {
      await access(path.join(this.#resolvedRoot ?? this.#options.root, part), constants.R_OK);
      return true;
    } catch (error) {
      // A part that is gone is no fault any more; anything else is the fault that is known already.
      return error instanceof Error && codeOf(error) === 'ENOENT';
    }
  }

  #probeEvents(sight: Extract<RootSight, { state: 'present' }>): void {
    if (!this.#ready || this.#polling !== null || sight.identity !== this.#identity) return;
    if (this.#probe.round(sight.changes)) this.#fallBack('silent');
  }

  #sweep(now: number): void {
    const mayMiss = this.#polling !== null || this.#faults.size > 0;
    if (!mayMiss || now - this.#lastSweep < sweepInterval) return;
    this.#lastSweep = now;
    this.#queue.pushHint(this.#tree.all);
  }

  #publishHealth(): void {
    if (this.#disposed) return;
    const health = this.#currentHealth();
    if (health.state === this.#health.state && health.reason === this.#health.reason) return;
    this.#health = health;
    this.#options.onHealth(health);
  }

  #currentHealth(): Health {
    const { name, notYet } = this.#tree;
    if (this.#sight !== null && this.#sight.state !== 'present') {
      // At the very first start nothing is wrong: the folder comes with the first thing that is written.
      if (this.#sight.state === 'absent' && !this.#sight.isFile && !this.#seen)
        return { state: 'watching', reason: notYet };
      return { state: 'degraded', reason: lossReason(name, this.#sight) };
    }
    const fault = [...this.#faults][0];
    if (fault !== undefined) {
      return { state: 'degraded', reason: faultReason(name, fault, this.#faults.size, sweepInterval) };
    }
    if (this.#polling !== null) return { state: 'polling', reason: pollingReason(this.#tree, this.#polling) };
    if (this.#ready) return { state: 'watching', reason: null };
    return this.#health.state === 'watching' ? this.#health : { state: 'starting', reason: null };
  }
}

import { type ContextSnapshot, limits, type Plan, type PlanDocument } from '../../src/contract/index.ts';
import { makeChange } from './changes.ts';
import type { PlanText, PlanView } from './plan-view.ts';
import type { Sidekeep } from './sidekeep.ts';
import { Store } from './store.ts';

/** Typing has to rest this long before it is saved, in ms. */
export const AUTO_SAVE_MS = 1000;

const initial: PlanView = {
  phase: 'loading',
  error: null,
  unsaved: false,
  saving: false,
  theirs: null,
  readOnly: null,
  excess: 0,
};

/**
 * One open plan: loads it, saves what the person typed, and brings outside changes in. It writes only what the person
 * changed, always naming the revision that it is based on, and never touches the text but for a change from outside into
 * an untouched document.
 */
export class PlanSession extends Store<PlanView> {
  readonly key: string;
  readonly #sidekeep: Sidekeep;
  readonly #projectId: string;
  readonly #planId: string;
  readonly #text: PlanText;
  #base: { raw: string; revision: string } = { raw: '', revision: '' };
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** The list said that the plan changed while a save or a read was running, or while an input method composed. */
  #lookAgain = false;
  #reading = false;
  #loaded = false;
  #disposed = false;
  /** The plan in the list when it was last compared with the text. */
  #seen: Plan | null = null;

  constructor(sidekeep: Sidekeep, projectId: string, planId: string, text: PlanText) {
    super(initial);
    this.key = `${projectId}/plan:${planId}`;
    this.#sidekeep = sidekeep;
    this.#projectId = projectId;
    this.#planId = planId;
    this.#text = text;
  }

  /** Reads the plan for the first time, or again after a failure. Unsaved text of an earlier window comes back. */
  async open(): Promise<void> {
    this.#show({ phase: 'loading', error: null });
    const draft = this.#sidekeep.drafts.read(this.key);
    const document = await this.#read();
    if (this.#disposed) return;
    if (document === null) {
      this.#text.open(draft.text);
      if (draft.base !== null) this.#show({ unsaved: true });
      return;
    }
    this.#loaded = true;
    this.#base = { raw: document.raw, revision: document.revision };
    this.#text.open(document.raw);
    this.#show({ phase: 'ready', readOnly: document.readOnly });
    if (draft.base !== null && draft.text !== document.raw) this.#restore(draft.text, draft.base.revision, document);
    else this.#settled();
    const { confirmed } = this.#sidekeep.contexts.entry(this.#projectId);
    if (confirmed) this.contextChanged(confirmed);
  }

  /** The person changed the text. Cheap: called with every key. */
  edited(): void {
    if (!this.get().unsaved) this.#show({ unsaved: true });
    this.#saveLater();
  }

  /** The context as it is now; the session looks at its own plan in it. */
  contextChanged(snapshot: ContextSnapshot): void {
    const plan = snapshot.plans.find((candidate) => candidate.id === this.#planId);
    const { phase } = this.get();
    if (phase === 'loading' || (plan !== undefined && plan === this.#seen)) return;
    this.#seen = plan ?? null;
    if (!plan) this.#gone('deleted');
    else if (plan.missing) this.#gone('missing');
    else if (!this.#loaded) void this.open();
    else if (plan.revision !== this.#base.revision || phase !== 'ready') void this.#lookAtDisk();
  }

  compositionEnded(): void {
    void this.#lookAgainIfNeeded();
  }

  /** Saves now what is not saved: by Ctrl+S, when another plan is opened, when the window is hidden. */
  async save(): Promise<void> {
    this.#stopTimer();
    const { unsaved, saving } = this.get();
    if (!unsaved) return;
    const raw = this.#text.read();
    const writable = this.isWritable;
    if (writable && !saving && raw === this.#base.raw) return this.#settled();
    this.#keepDraft(raw);
    if (!writable || saving) return;
    const excess = Math.max(0, raw.length - limits.planRaw);
    this.#show({ excess });
    if (excess > 0) return;
    this.#show({ saving: true });
    const result = await makeChange(this.#sidekeep, {
      projectId: this.#projectId,
      subject: this.key,
      text: raw,
      call: () =>
        this.#sidekeep.client.plans.update({
          projectId: this.#projectId,
          planId: this.#planId,
          raw,
          revision: this.#base.revision,
        }),
      retry: () => void this.save(),
      byItself: true,
      handled: (error) => error.code === 'conflict' || error.code === 'not-found',
    });
    this.#show({ saving: false });
    if (result.ok) this.#saved(raw, result.value.document);
    else if (result.error.code === 'not-found') this.#gone('missing');
    else if (result.error.code === 'conflict') await this.#lookAtDisk();
    await this.#lookAgainIfNeeded();
  }

  /** The person's text replaces the other one, knowingly. */
  keepMine(): void {
    const { theirs } = this.get();
    if (theirs === null) return;
    this.#base = { raw: theirs.raw, revision: theirs.revision };
    this.#show({ theirs: null, unsaved: true });
    void this.save();
  }

  /** The other text replaces the person's; undo brings that back as unsaved text. */
  takeTheirs(): void {
    const { theirs } = this.get();
    if (theirs === null) return;
    this.#base = { raw: theirs.raw, revision: theirs.revision };
    this.#text.replace(theirs.raw);
    this.#show({ theirs: null });
    this.#settled();
  }

  /** Whether another text may take the place of this one now. */
  get isWritable(): boolean {
    const { phase, readOnly, theirs } = this.get();
    return phase === 'ready' && readOnly === null && theirs === null;
  }

  /** Puts another text in the place of this one, as one step that undo leads back over, and saves it. */
  async putBack(raw: string): Promise<void> {
    if (!this.isWritable) return;
    // What is unsaved goes into the file first, so that it is one of the earlier versions as well.
    await this.save();
    if (!this.isWritable) return;
    this.#text.replace(raw);
    this.#show({ unsaved: true });
    await this.save();
  }

  /** The text as it is now, for copying and comparing. */
  read(): string {
    return this.#text.read();
  }

  /** Forgets the unsaved text: the person deleted the plan, or saved the text elsewhere. */
  discard(): void {
    this.#stopTimer();
    this.#show({ unsaved: false, theirs: null });
    this.#sidekeep.drafts.clear(this.key);
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#stopTimer();
    this.keep();
  }

  /** Writes the unsaved text where it outlives the window; called when the window is about to be hidden. */
  keep(): void {
    if (this.get().unsaved) this.#keepDraft(this.#text.read());
  }

  #saved(sent: string, document: PlanDocument): void {
    this.#base = { raw: document.raw, revision: document.revision };
    const now = this.#text.read();
    if (now === document.raw) this.#settled();
    else if (now === sent) this.#merge(document);
    else this.#saveLater();
  }

  /** Nothing is unsaved. */
  #settled(): void {
    this.#stopTimer();
    this.#sidekeep.drafts.clear(this.key);
    this.#show({ unsaved: false, excess: 0 });
  }

  /** Unsaved text of an earlier window, put over the document as the person's own. */
  #restore(text: string, revision: string, document: PlanDocument): void {
    this.#text.replace(text);
    const changed = revision !== document.revision;
    this.#show({ unsaved: true, theirs: changed ? document : null });
    if (!changed) this.#saveLater();
  }

  /** After a save: the list may already say what was just written. */
  async #lookAgainIfNeeded(): Promise<void> {
    if (!this.#lookAgain) return;
    this.#lookAgain = this.#seen?.revision !== this.#base.revision;
    if (this.#lookAgain) await this.#lookAtDisk();
  }

  async #lookAtDisk(): Promise<void> {
    if (this.get().saving || this.#reading || this.#text.isComposing()) {
      this.#lookAgain = true;
      return;
    }
    this.#lookAgain = false;
    const document = await this.#read();
    if (document === null || this.#disposed) return;
    if (this.#text.isComposing() || this.get().saving) {
      this.#lookAgain = true;
      return;
    }
    this.#show({ phase: 'ready', error: null, readOnly: document.readOnly });
    this.#merge(document);
    await this.#lookAgainIfNeeded();
  }

  /** Three ways: the text that the person's started from, the person's, and what is on disk now. */
  #merge(document: PlanDocument): void {
    const mine = this.#text.read();
    const untouched = mine === this.#base.raw;
    if (document.raw === this.#base.raw || document.raw === mine) {
      this.#base = { raw: document.raw, revision: document.revision };
      this.#show({ theirs: null });
      if (document.raw === mine) this.#settled();
      else this.#saveLater();
    } else if (untouched) {
      this.#base = { raw: document.raw, revision: document.revision };
      this.#text.replace(document.raw);
      this.#show({ theirs: null });
      this.#settled();
    } else {
      this.#stopTimer();
      this.#keepDraft(mine);
      this.#show({ theirs: document, unsaved: true });
    }
  }

  async #read(): Promise<PlanDocument | null> {
    this.#reading = true;
    const result = await this.#sidekeep.client.plans.read({ projectId: this.#projectId, planId: this.#planId });
    this.#reading = false;
    if (result.ok) return result.value;
    if (result.error.code === 'not-found') this.#gone('missing');
    else if (this.get().phase === 'loading') this.#show({ phase: 'failed', error: result.error });
    return null;
  }

  /** The text stays, to be copied or saved as a new plan. */
  #gone(phase: 'deleted' | 'missing'): void {
    this.#stopTimer();
    this.keep();
    if (this.get().phase !== phase) this.#show({ phase, theirs: null });
  }

  #keepDraft(text: string): void {
    this.#sidekeep.drafts.write(this.key, text, { text: '', revision: this.#base.revision });
  }

  #saveLater(): void {
    this.#stopTimer();
    this.#timer = setTimeout(() => void this.save(), AUTO_SAVE_MS);
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #show(change: Partial<PlanView>): void {
    this.set({ ...this.get(), ...change });
  }
}

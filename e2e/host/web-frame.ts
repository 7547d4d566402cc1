import { EventEmitter } from 'node:events';
import type { CdpSession } from './cdp.ts';
import { codec } from './codec.ts';
import { IpcMain } from './ipc-main.ts';
import { refuseMissingOf } from './refuse.ts';
import { quietly } from './runtime.ts';
import { schemes } from './schemes.ts';

/** The isolated world of one document: alive until that document is left. */
export interface IsolatedContext {
  readonly frameId: string;
  readonly session: CdpSession;
  readonly uniqueId: string;
  /** The name of the function in that world that takes messages. */
  readonly receiver: string;
  alive: boolean;
}

/** Calls into an isolated world; a world that is left meanwhile hears nothing, as in Electron. */
export function callPage(context: IsolatedContext, kind: string, id: number, channel: string, payload: string): void {
  const values = [context.receiver, kind, id, channel, payload];
  void quietly(
    context.session.send('Runtime.callFunctionOn', {
      functionDeclaration:
        'function(name, kind, id, channel, payload) { globalThis[name](kind, id, channel, payload); }',
      uniqueContextId: context.uniqueId,
      arguments: values.map((value) => ({ value })),
      silent: true,
    }),
  );
}

type Imitated = Pick<
  Electron.WebFrameMain,
  | 'detached'
  | 'executeJavaScript'
  | 'frameToken'
  | 'frameTreeNodeId'
  | 'isDestroyed'
  | 'name'
  | 'origin'
  | 'processId'
  | 'reload'
  | 'routingId'
  | 'send'
  | 'url'
>;

let lastRoutingId = 0;

/** One document in one frame, as Electron's WebFrameMain: a navigation to another document ends it. */
export class WebFrameMain extends EventEmitter implements Imitated {
  static fromId(processId: number, routingId: number): WebFrameMain | undefined {
    for (const tree of trees) {
      for (const frame of tree.all()) if (frame.processId === processId && frame.routingId === routingId) return frame;
    }
    return undefined;
  }

  readonly frameToken: string;
  readonly frameTreeNodeId: number;
  readonly processId: number;
  readonly routingId: number = ++lastRoutingId;
  readonly ipc = new IpcMain();
  name = '';
  readonly _tree: FrameTree;
  readonly _id: string;
  readonly _parentId: string | undefined;
  _pageUrl = '';
  _session: CdpSession;
  _context: IsolatedContext | undefined;
  /** Messages for a document that has been committed and whose isolated world is about to exist. */
  _queue: [channel: string, payload: string][] = [];

  constructor(tree: FrameTree, id: string, parentId: string | undefined, session: CdpSession) {
    super();
    this._tree = tree;
    this._id = id;
    this._parentId = parentId;
    this._session = session;
    this.frameToken = id;
    this.frameTreeNodeId = tree.nodeId(id);
    this.processId = tree.processId;
  }

  get url(): string {
    return schemes.fromPage(this._pageUrl);
  }
  get origin(): string {
    return schemes.originOf(this._pageUrl);
  }
  get parent(): WebFrameMain | null {
    return this._parentId === undefined ? null : (this._tree.get(this._parentId) ?? null);
  }
  get top(): WebFrameMain | null {
    return this._tree.main ?? null;
  }
  get frames(): WebFrameMain[] {
    return this._tree.all().filter((frame) => frame._parentId === this._id);
  }
  get framesInSubtree(): WebFrameMain[] {
    return [this, ...this.frames.flatMap((frame) => frame.framesInSubtree)];
  }
  get detached(): boolean {
    return this.isDestroyed();
  }

  isDestroyed(): boolean {
    return this._tree.get(this._id) !== this;
  }

  send(channel: string, ...args: unknown[]): void {
    if (typeof channel !== 'string') throw new TypeError('Missing required channel argument');
    const payload = codec.encode(args);
    if (this._context?.alive) callPage(this._context, 'event', 0, channel, payload);
    else if (this._pageUrl !== '') this._queue.push([channel, payload]);
  }

  reload(): boolean {
    if (this._parentId !== undefined) void this.executeJavaScript('location.reload()');
    else void quietly(this._session.send('Page.reload'));
    return true;
  }

  /** Evaluates in the page's main world; the result crosses as JSON. */
  async executeJavaScript(code: string, userGesture = false): Promise<unknown> {
    const world = this._tree.mainWorldOf(this._id);
    const { result, exceptionDetails } = await this._session.send('Runtime.evaluate', {
      expression: code,
      awaitPromise: true,
      returnByValue: true,
      userGesture,
      ...(world === undefined ? {} : { uniqueContextId: world }),
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }
}
refuseMissingOf(WebFrameMain, 'WebFrameMain');

const trees = new Set<FrameTree>();

/** The frames of one WebContents, by Chromium's frame id. */
export class FrameTree {
  readonly processId: number;
  private readonly frames = new Map<string, WebFrameMain>();
  private readonly nodeIds = new Map<string, number>();
  private readonly mainWorlds = new Map<string, string>();
  private mainId: string | undefined;

  constructor(processId: number) {
    this.processId = processId;
    trees.add(this);
  }

  get main(): WebFrameMain | undefined {
    return this.mainId === undefined ? undefined : this.frames.get(this.mainId);
  }
  get(id: string): WebFrameMain | undefined {
    return this.frames.get(id);
  }
  all(): WebFrameMain[] {
    return [...this.frames.values()];
  }
  nodeId(id: string): number {
    const known = this.nodeIds.get(id) ?? this.nodeIds.size + 1;
    this.nodeIds.set(id, known);
    return known;
  }
  mainWorldOf(id: string): string | undefined {
    return this.mainWorlds.get(id);
  }
  setMainWorld(id: string, uniqueId: string): void {
    this.mainWorlds.set(id, uniqueId);
  }

  /** A frame that exists from now on, still at its initial empty document. */
  attach(id: string, parentId: string | undefined, session: CdpSession): void {
    const known = this.frames.get(id);
    if (known) known._session = session;
    else this.frames.set(id, new WebFrameMain(this, id, parentId, session));
    if (parentId === undefined) this.mainId = id;
  }

  /** A document that a frame has committed: the frame's former WebFrameMain is destroyed by it. */
  commit(id: string, parentId: string | undefined, session: CdpSession, name: string, url: string): WebFrameMain {
    const former = this.frames.get(id);
    const frame = new WebFrameMain(this, id, parentId ?? former?._parentId, session);
    frame._pageUrl = url;
    frame.name = name;
    frame._queue = former?._queue ?? [];
    this.frames.set(id, frame);
    if (frame._parentId === undefined) this.mainId = id;
    return frame;
  }

  detach(id: string): void {
    for (const child of this.all()) if (child._parentId === id) this.detach(child._id);
    this.frames.delete(id);
    this.mainWorlds.delete(id);
  }

  dispose(): void {
    this.frames.clear();
    trees.delete(this);
  }
}

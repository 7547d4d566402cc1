import type { CdpSession, Protocol } from './cdp.ts';
import { nativeThemeFeatures } from './native-theme.ts';
import { isolatedWorldName } from './page/scripts.ts';
import { quietly, runtime } from './runtime.ts';
import { schemes } from './schemes.ts';
import { callPage, type FrameTree, type IsolatedContext } from './web-frame.ts';
import { webRequest } from './web-request.ts';

/** A message of the isolated world, already attributed to the document that sent it. */
export interface PageMessage {
  kind: string;
  id: number;
  channel: string;
  payload: string;
  context: IsolatedContext;
}

/** What a WebContents does with the events of its sessions. */
export interface FrameSessionOwner {
  readonly frames: FrameTree;
  readonly nonce: string;
  readonly scripts: { main: string; isolated: string };
  message(message: PageMessage): void;
  paused(request: Protocol.Fetch.requestPausedPayload, session: CdpSession): Promise<void>;
  committed(frame: Protocol.Page.Frame): void;
}

/**
 * One CDP session of a page: the page itself, or a frame of another site that Chromium runs in a process of its own. Makes
 * the injected worlds, the request interception and the frame tree work in it before its first document.
 */
export class FrameSession {
  readonly session: CdpSession;
  private readonly owner: FrameSessionOwner;
  private readonly contexts = new Map<number, IsolatedContext>();
  private readonly children = new Map<string, FrameSession>();

  constructor(session: CdpSession, owner: FrameSessionOwner) {
    this.session = session;
    this.owner = owner;
    this.watchContexts();
    this.watchFrames();
    session.onEvent('Runtime.bindingCalled', (call) => this.bindingCalled(call));
    session.onEvent('Fetch.requestPaused', (request) => void quietly(owner.paused(request, session)));
    session.onEvent('Target.attachedToTarget', ({ sessionId, targetInfo }) =>
      this.childAttached(sessionId, targetInfo),
    );
    session.onEvent('Target.detachedFromTarget', ({ sessionId }) => this.children.delete(sessionId));
  }

  /** Sends everything that must be in place, lets the target run, and waits until all of it was accepted. */
  async start(): Promise<void> {
    const { session, owner } = this;
    const sent = [
      session.send('Page.enable'),
      session.send('Inspector.enable'),
      session.send('Runtime.enable'), // Before the binding, which a world that exists already would not get otherwise.
      session.send('Page.addScriptToEvaluateOnNewDocument', { source: owner.scripts.main }),
      session.send('Runtime.addBinding', { name: `send${owner.nonce}`, executionContextName: isolatedWorldName }),
      session.send('Page.addScriptToEvaluateOnNewDocument', {
        source: owner.scripts.isolated,
        worldName: isolatedWorldName,
      }),
      session.send('Log.enable'),
      session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
      this.intercept(),
      this.applyTheme(),
      session.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: [{ type: 'iframe' }],
      }),
      session.send('Page.getFrameTree').then(({ frameTree }) => this.readTree(frameTree)),
    ];
    await Promise.all([...sent, quietly(session.send('Runtime.runIfWaitingForDebugger'))]);
  }

  /** Which requests Chromium holds back for the host; again whenever schemes or webRequest listeners change. */
  async intercept(): Promise<void> {
    const patterns: Protocol.Fetch.RequestPattern[] = webRequest.listensToAll()
      ? [{ urlPattern: '*' }]
      : [
          ...schemes.patterns().map((urlPattern) => ({ urlPattern })),
          { urlPattern: '*', resourceType: 'Document' },
          { urlPattern: '*/__host_send_sync__/*' },
        ];
    await this.session.send('Fetch.enable', { patterns });
    await Promise.all([...this.children.values()].map((child) => child.intercept()));
  }

  async applyTheme(): Promise<void> {
    await this.session.send('Emulation.setEmulatedMedia', { features: nativeThemeFeatures() });
    await Promise.all([...this.children.values()].map((child) => child.applyTheme()));
  }

  /** The renderer is gone, and every document of this session with it. */
  forgetContexts(): void {
    for (const context of this.contexts.values()) context.alive = false;
    this.contexts.clear();
    for (const child of this.children.values()) child.forgetContexts();
  }

  private readTree(tree: Protocol.Page.FrameTree): void {
    const { id, parentId } = tree.frame;
    if (!this.owner.frames.get(id)) this.owner.frames.attach(id, parentId, this.session);
    for (const child of tree.childFrames ?? []) this.readTree(child);
  }

  private watchContexts(): void {
    const { session, owner } = this;
    session.onEvent('Runtime.executionContextCreated', ({ context }) => {
      const { frameId, isDefault } = (context.auxData ?? {}) as { frameId?: string; isDefault?: boolean };
      if (frameId === undefined) return;
      if (isDefault) owner.frames.setMainWorld(frameId, context.uniqueId);
      if (context.name !== isolatedWorldName) return;
      const receiver = `receive${owner.nonce}`;
      const isolated: IsolatedContext = { frameId, session, uniqueId: context.uniqueId, receiver, alive: true };
      this.contexts.set(context.id, isolated);
      const frame = owner.frames.get(frameId);
      if (!frame) return;
      frame._context = isolated;
      for (const [channel, payload] of frame._queue.splice(0)) callPage(isolated, 'event', 0, channel, payload);
    });
    session.onEvent('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      const context = this.contexts.get(executionContextId);
      if (context) context.alive = false;
      this.contexts.delete(executionContextId);
    });
    session.onEvent('Runtime.executionContextsCleared', () => {
      for (const context of this.contexts.values()) context.alive = false;
      this.contexts.clear();
    });
  }

  private watchFrames(): void {
    const { session, owner } = this;
    session.onEvent('Page.frameAttached', ({ frameId, parentFrameId }) =>
      owner.frames.attach(frameId, parentFrameId, session),
    );
    session.onEvent('Page.frameDetached', ({ frameId, reason }) => {
      if (reason === 'remove') owner.frames.detach(frameId); // With 'swap' it goes on in another session.
    });
    session.onEvent('Page.frameNavigated', ({ frame }) => {
      const url = frame.unreachableUrl ?? frame.url + (frame.urlFragment ?? '');
      owner.frames.commit(frame.id, frame.parentId, session, frame.name ?? '', url);
      owner.committed(frame);
    });
  }

  private childAttached(sessionId: string, info: Protocol.Target.TargetInfo): void {
    const connection = runtime.connection;
    if (!connection) return;
    const child = new FrameSession(connection.session(sessionId), this.owner);
    this.children.set(sessionId, child);
    if (!this.owner.frames.get(info.targetId))
      this.owner.frames.attach(info.targetId, info.parentFrameId, child.session);
    void quietly(child.start());
  }

  private bindingCalled({ name, payload, executionContextId }: Protocol.Runtime.bindingCalledPayload): void {
    const context = this.contexts.get(executionContextId);
    if (name !== `send${this.owner.nonce}` || !context) return;
    const parts = /^([a-z-]+)(\d+)\n([^\n]*)\n/.exec(payload);
    if (!parts) return;
    const [head, kind = '', id = '0', channel = ''] = parts;
    this.owner.message({
      kind,
      id: Number(id),
      channel: decodeURIComponent(channel),
      payload: payload.slice(head.length),
      context,
    });
  }
}

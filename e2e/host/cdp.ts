import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Protocol } from '../../node_modules/playwright-core/types/protocol.d.ts';

export type { Protocol };
export type CdpMethod = keyof Protocol.CommandParameters;
export type CdpParameters<M extends CdpMethod> = Protocol.CommandParameters[M];
export type CdpResult<M extends CdpMethod> = Protocol.CommandReturnValues[M];

/** A command that Chromium refused, or that lost its browser. `method` names it. */
export class CdpError extends Error {
  readonly method: string;
  constructor(method: string, message: string) {
    super(`${method}: ${message}`);
    this.name = 'CdpError';
    this.method = method;
  }
}

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
  sessionId?: string;
}

interface Waiting {
  method: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** One attached target (or the browser itself): typed commands out, typed events in. */
export class CdpSession extends EventEmitter {
  readonly sessionId: string | undefined;
  private readonly connection: CdpConnection;

  constructor(connection: CdpConnection, sessionId: string | undefined) {
    super();
    this.setMaxListeners(0);
    this.connection = connection;
    this.sessionId = sessionId;
  }

  send<M extends CdpMethod>(method: M, params?: CdpParameters<M>): Promise<CdpResult<M>> {
    return this.connection.send(method, params, this.sessionId) as Promise<CdpResult<M>>;
  }

  onEvent<E extends keyof Protocol.Events>(name: E, listener: (payload: Protocol.Events[E]) => void): void {
    this.on(name, listener);
  }

  onceEvent<E extends keyof Protocol.Events>(name: E, listener: (payload: Protocol.Events[E]) => void): void {
    this.once(name, listener);
  }
}

/**
 * The DevTools protocol over `--remote-debugging-pipe`: NUL-separated JSON on two file descriptors. No port is opened, and
 * Chromium ends by itself when this process, and with it the pipe, goes away.
 */
export class CdpConnection {
  readonly browser: CdpSession;
  closed = false;
  private readonly output: Writable;
  private readonly sessions = new Map<string, CdpSession>();
  private readonly waiting = new Map<number, Waiting>();
  private readonly closeListeners: (() => void)[] = [];
  private lastId = 0;
  private partial: Buffer[] = [];

  constructor(output: Writable, input: Readable) {
    this.output = output;
    this.browser = new CdpSession(this, undefined);
    input.on('data', (chunk: Buffer) => this.receive(chunk));
    for (const stream of [input, output]) {
      stream.on('close', () => this.close());
      // EPIPE and ECONNRESET: Chromium is gone, which is what `close` reports.
      stream.on('error', () => this.close());
    }
  }

  /** Calls `listener` once, when the pipe breaks. */
  onClose(listener: () => void): void {
    this.closeListeners.push(listener);
  }

  session(sessionId: string): CdpSession {
    let session = this.sessions.get(sessionId);
    if (!session) {
      session = new CdpSession(this, sessionId);
      this.sessions.set(sessionId, session);
    }
    return session;
  }

  forget(sessionId: string): void {
    this.sessions.delete(sessionId);
  }

  send(method: string, params: unknown, sessionId: string | undefined): Promise<unknown> {
    if (this.closed) return Promise.reject(new CdpError(method, 'the browser is closed'));
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { method, resolve, reject });
      this.output.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  private receive(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      this.partial.push(chunk.subarray(from, end));
      const text = Buffer.concat(this.partial).toString('utf8');
      this.partial = [];
      from = end + 1;
      this.dispatch(JSON.parse(text) as Message);
    }
    if (from < chunk.length) this.partial.push(chunk.subarray(from));
  }

  private dispatch(message: Message): void {
    if (message.id === undefined) {
      const session = message.sessionId === undefined ? this.browser : this.sessions.get(message.sessionId);
      if (session && message.method) session.emit(message.method, message.params);
      return;
    }
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (!waiting) return;
    if (message.error) waiting.reject(new CdpError(waiting.method, message.error.message));
    else waiting.resolve(message.result);
  }

  private close(): void {
    if (this.closed) return;
    this.closed = true;
    for (const { method, reject } of this.waiting.values()) reject(new CdpError(method, 'the browser is closed'));
    this.waiting.clear();
    for (const listener of this.closeListeners) listener();
  }
}

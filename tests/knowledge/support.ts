import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type ContextStore, openContextStore } from '../../src/context/index.ts';
import { checkEvent } from '../../src/contract/dispatch.ts';
import {
  type EventName,
  type EventPayload,
  Failure,
  type MemoryTitle,
  type SessionMessage,
  type SessionRef,
} from '../../src/contract/index.ts';
import { type FileSystem, nodeFileSystem } from '../../src/files/index.ts';
import type { MemoryTitles } from '../../src/knowledge/collect.ts';
import { type KnowledgeCalls, KnowledgeService } from '../../src/knowledge/service.ts';
import { type SessionCalls, SessionService } from '../../src/sessions/service.ts';
import { temporaryFolder } from '../files/support.ts';

export const caller = { role: 'mini-chat', signal: new AbortController().signal } as const;
export const OWNER = 'p1';

export interface Setup {
  readonly knowledge: KnowledgeService;
  readonly calls: KnowledgeCalls;
  readonly sessions: SessionCalls;
  readonly context: ContextStore;
  /** What is remembered; changed by tests as they like. */
  readonly memory: {
    global: MemoryTitle[];
    owner: MemoryTitle[];
    failed: string[];
    failure: Error | null;
    /** What reading it waits for. */
    until: Promise<void>;
  };
  readonly events: EventPayload<'knowledge.changed'>[];
  /** What was reported that harmed no answer; a test that expects some takes it out. */
  readonly reports: string[];
  /** Folder of the store. */
  readonly store: string;
  readonly contextRoot: string;
  /** Makes a session of {@link OWNER}, or of another one. */
  made(text?: string, ownerId?: string): Promise<SessionRef>;
  /** Records a message. */
  say(session: SessionRef, messageId: string, text?: string): ReturnType<SessionCalls['append']>;
  messages(session: SessionRef): Promise<SessionMessage[]>;
  /** `<id>.knowledge.json` as JSON; null where there is none. */
  stored(session: SessionRef): Promise<Record<string, unknown> | null>;
  put(session: SessionRef, content: unknown): Promise<void>;
  note(body: string): Promise<string>;
  plan(title: string, body: string): Promise<string>;
  pin(session: SessionRef, kind: 'note' | 'plan', id: string, pinned?: boolean): ReturnType<KnowledgeCalls['pin']>;
  /** Finishes what an earlier run left. */
  reconcile(): Promise<void>;
  /** The same program after another start. */
  again(): Promise<Setup>;
}

export interface SetupOptions {
  readonly folder?: string;
  readonly fileSystem?: FileSystem;
  /** See `KnowledgeServiceOptions`. */
  readonly patience?: number;
}

/** Sessions, context and knowledge over folders of their own; the owners `p1` and `p2` have a folder each. */
export async function setUp({ folder, fileSystem = nodeFileSystem, patience }: SetupOptions = {}): Promise<Setup> {
  const root = folder ?? (await temporaryFolder());
  const store = join(root, 'sessions', 'sessions');
  const contextRoot = join(root, 'context');
  await mkdir(store, { recursive: true });
  const reports: string[] = [];
  const report = (where: string, error: unknown): void => void reports.push(`${where}: ${error}`);
  const events: Setup['events'] = [];
  const publish = (name: EventName, payload: unknown): void => {
    expect(checkEvent(name, payload, report)).toEqual(payload);
    if (name === 'knowledge.changed') events.push(payload as EventPayload<'knowledge.changed'>);
  };
  const memory: Setup['memory'] = { global: [], owner: [], failed: [], failure: null, until: Promise.resolve() };
  const context = openContextStore({
    root: contextRoot,
    isKnownProject: () => true,
    sleep: () => Promise.resolve(),
    onEvent: (event) => knowledge.contextChanged(event),
    report,
  });
  const knowledge = new KnowledgeService({
    fileSystem,
    sessions: {
      ownerOf: (session) => service.ownerOf(session),
      knownOwnerOf: (session) => service.knownOwnerOf(session),
      filesOf: (session) => service.filesOf(session),
      beside: (session, job) => service.beside(session, job),
    },
    sources: {
      context: (projectId) => context.context.get({ projectId }),
      plan: (projectId, planId) => context.plans.read({ projectId, planId }),
      memory: async (): Promise<MemoryTitles> => {
        await memory.until;
        if (memory.failure !== null) throw memory.failure;
        return memory;
      },
    },
    publish,
    report,
    ...(patience === undefined ? {} : { patience }),
  });
  const service: SessionService = new SessionService({
    root: join(root, 'sessions'),
    cacheFolder: null,
    fileSystem,
    ownerOf: async (directory) => /^\/demo\/(p\d)$/.exec(directory)?.[1] ?? null,
    placeOf: async (ownerId) => ({ workspaceRoot: `/demo/${ownerId}`, scope: 'project' }),
    pins: { list: () => [], set: () => undefined },
    knowledge,
    claimRoot: async () => undefined,
    isWatching: () => false,
    reveal: () => undefined,
    publish,
    report,
  });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await service.dispose();
    await context.dispose();
  };
  onTestFinished(async () => {
    await close();
    expect(reports, 'reported').toEqual([]);
  });
  const path = ({ id }: SessionRef): string => join(store, `${id}.knowledge.json`);
  const project = { projectId: OWNER };
  return {
    knowledge,
    calls: knowledge.calls,
    sessions: service.calls,
    context,
    memory,
    events,
    reports,
    store,
    contextRoot,
    made: async (text, ownerId = OWNER) =>
      (await service.calls.create({ ownerId, ...(text === undefined ? {} : { text }) }, caller)).row.session,
    say: (session, messageId, text = `text of ${messageId}`) =>
      service.calls.append({ session, messageId, text }, caller),
    messages: async (session) => (await service.calls.page({ session, limit: 200 }, caller)).messages,
    stored: async (session) =>
      JSON.parse(await readFile(path(session), 'utf8').catch(() => 'null')) as Record<string, unknown> | null,
    put: (session, content) =>
      writeFile(path(session), typeof content === 'string' ? content : JSON.stringify(content)),
    note: async (body) => (await context.notes.create({ ...project, body })).note.id,
    plan: async (title, body) => (await context.plans.create({ ...project, title, body })).plan.id,
    pin: (session, kind, id, pinned = true) => knowledge.calls.pin({ session, kind, id, pinned }, caller),
    reconcile: () => service.reconcile(),
    again: async () => {
      await close();
      return setUp({ folder: root, fileSystem });
    },
  };
}

/** A memory's title as it is listed. */
export const title = (id: string, text: string, more: Partial<MemoryTitle> = {}): MemoryTitle => ({
  id,
  title: text,
  type: 'fact',
  createdAt: 1,
  updatedAt: 1,
  revision: '0123456789abcdef',
  threat: null,
  withheld: false,
  sessionId: null,
  ...more,
});

export const unreadable = (): Failure => new Failure('malformed', 'The file is damaged. It was left as it is.');

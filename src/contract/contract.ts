import { projects, settings, watcher, windows } from './application.ts';
import type { Call, ErrorOf, InputOf, OutputOf, ParsedInputOf, PayloadOf, PushEvent, Role } from './call.ts';
import { chats } from './chats.ts';
import { context, notes, plans, todos } from './context.ts';
import type { Result } from './errors.ts';
import { knowledge } from './knowledge.ts';
import { memory } from './memory.ts';
import { sessions } from './sessions.ts';

/**
 * Everything that crosses the bridge, declared once: group → name → call or event. From this value come the channel
 * names, the types of both ends, the preload's object for each role, the registration in the main process, the in-memory
 * pair of the tests, the role matrix and `docs/contract.md`:
 *
 *   main      `implementation.notes.create(input, caller)`      (a missing handler does not compile)
 *   window    `client.notes.create(input)` → `Promise<Result>`, `client.on('context.changed', listener)` → unsubscribe
 *   channel   `sidekeep:notes.create`, `sidekeep:context.changed`
 */
export const contract = {
  context,
  notes,
  todos,
  plans,
  projects,
  sessions,
  chats,
  knowledge,
  memory,
  windows,
  settings,
  watcher,
} as const;
export type Contract = typeof contract;
export type GroupName = keyof Contract;

type NamesOf<Group, Kind> = { [Name in keyof Group]: Group[Name] extends Kind ? Name : never }[keyof Group] & string;

/** Dotted name of each call, such as `notes.create`. */
export type CallName = { [G in GroupName]: `${G}.${NamesOf<Contract[G], Call>}` }[GroupName];
/** Dotted name of each event, such as `context.changed`. */
export type EventName = { [G in GroupName]: `${G}.${NamesOf<Contract[G], PushEvent>}` }[GroupName];

type Member<Name extends string> = Name extends `${infer G extends GroupName}.${infer N}`
  ? N extends keyof Contract[G]
    ? Contract[G][N]
    : never
  : never;

/** What the event of this name carries. */
export type EventPayload<Name extends EventName> = PayloadOf<Member<Name>>;
/** What a caller of this call passes. */
export type CallInput<Name extends CallName> = InputOf<Member<Name>>;
/** What this call answers. */
export type CallOutput<Name extends CallName> = OutputOf<Member<Name>>;

/** Who made a call, and when to give up on it. */
export interface Caller {
  readonly role: Role;
  /** Aborted when the calling window closes, reloads or crashes. */
  readonly signal: AbortSignal;
}

/** The main process's side: one method for each call. A method throws `Failure` to fail. */
export type Implementation = {
  [G in GroupName]: {
    [N in NamesOf<Contract[G], Call>]: (
      input: ParsedInputOf<Contract[G][N]>,
      caller: Caller,
    ) => Promise<OutputOf<Contract[G][N]>>;
  };
};

/** A window's side: one function for each call, and `on` for events. */
export type Client = {
  [G in GroupName]: {
    [N in NamesOf<Contract[G], Call>]: (
      input: InputOf<Contract[G][N]>,
    ) => Promise<Result<OutputOf<Contract[G][N]>, ErrorOf<Contract[G][N]>>>;
  };
} & {
  /** Listens to an event; the result stops it. */
  on<Name extends EventName>(name: Name, listener: (payload: EventPayload<Name>) => void): () => void;
};

/** Pushes an event to every window whose role receives it. */
export type Publish = <Name extends EventName>(name: Name, payload: EventPayload<Name>) => void;

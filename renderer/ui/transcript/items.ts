import type { SessionMessage } from '../../../src/contract/index.ts';

/** What is shown as one: a message, with the results of the tool calls that it made. */
export interface TranscriptItem {
  readonly message: SessionMessage;
  /** By id of the call. */
  readonly results: ReadonlyMap<string, SessionMessage>;
}

const none: ReadonlyMap<string, SessionMessage> = new Map();

/**
 * The messages as they are shown. A tool's result goes to the newest call before it that it answers and that has none yet;
 * one whose call is not among the messages stands alone.
 */
export function itemsOf(messages: readonly SessionMessage[]): TranscriptItem[] {
  const items: { message: SessionMessage; results: Map<string, SessionMessage> | null }[] = [];
  const waiting = new Map<string, (typeof items)[number]>();
  for (const message of messages) {
    const call = message.role === 'tool' && message.toolCallId !== null ? waiting.get(message.toolCallId) : undefined;
    if (call && message.toolCallId !== null && message.kind === 'message') {
      call.results ??= new Map();
      call.results.set(message.toolCallId, message);
      waiting.delete(message.toolCallId);
      continue;
    }
    const item = { message, results: null };
    for (const { id } of message.toolCalls) waiting.set(id, item);
    items.push(item);
  }
  return items.map(({ message, results }) => ({ message, results: results ?? none }));
}

/** The item that shows a message: itself, or the one that made the call that it answers. */
export function itemAt(items: readonly TranscriptItem[], index: number): TranscriptItem | undefined {
  return items.find(
    ({ message, results }) => message.index === index || [...results.values()].some((result) => result.index === index),
  );
}

/** Whether two items show the same. */
export function isSameItem(first: TranscriptItem, second: TranscriptItem): boolean {
  if (first.message !== second.message || first.results.size !== second.results.size) return false;
  return [...first.results].every(([id, result]) => second.results.get(id) === result);
}

/**
 * Who recorded a message that nobody typed: this program, what its owner knows (docs/formats/context-format.md, section 13),
 * or another one; null for every other message.
 */
export function hostOf({ origin, id }: SessionMessage): 'told' | 'host' | null {
  if (origin !== 'host') return null;
  return id !== null && /^told-[0-9a-f]{64}-/.test(id) ? 'told' : 'host';
}

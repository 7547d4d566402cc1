import type { CallError, ComposerMode, ContextChange, ProjectList, Result } from '../../src/contract/index.ts';
import { makeChange } from '../state/changes.ts';
import type { Sending } from '../state/drafts.ts';
import type { Sidekeep } from '../state/sidekeep.ts';
import { Store } from '../state/store.ts';
import { type EntryMode, parseEntry, typedWithCommand } from './commands.ts';
import { draftKey } from './draft-keys.ts';
import { planText, todoLines } from './entry-text.ts';

/** One text that left the composer and is not known to be on disk. */
export interface Outgoing {
  readonly id: number;
  readonly projectId: string;
  readonly mode: EntryMode;
  readonly text: string;
  /** Why it was not saved; null while it is on its way. */
  readonly error: CallError | null;
  /** Whether what kept it from being saved is gone, as far as that can be known. */
  readonly mended: boolean;
}

/** Why the text in the composer is there again. */
export interface Returned {
  readonly projectId: string;
  readonly error: CallError;
  /** As in {@link Outgoing}. */
  readonly mended: boolean;
}

export interface OutboxState {
  readonly outgoing: readonly Outgoing[];
  readonly returned: Returned | null;
}

/** What became of one entry: the number of changes that are durable, and what is left to send. */
type Outcome = { saved: number; error: null } | { saved: number; error: CallError; left: string };

/**
 * Takes notes, todos and plans from the composer to the disk. The field is empty at once for the next text; a text that could not be saved
 * goes back into it, or, when something else was typed meanwhile, waits beside it: two thoughts never become one, and no
 * text is written under the cursor or into a composition.
 */
export class Outbox extends Store<OutboxState> {
  readonly #sidekeep: Sidekeep;
  readonly #sendings = new Map<number, Sending>();
  #next = 1;
  readonly #onSaved: (mode: EntryMode, count: number) => void;

  /** @param onSaved called once something was saved, with how many entries it made */
  constructor(sidekeep: Sidekeep, onSaved: (mode: EntryMode, count: number) => void) {
    super({ outgoing: [], returned: null });
    this.#sidekeep = sidekeep;
    this.#onSaved = onSaved;
  }

  /** Sends the draft of a target; a message is not for here, see {@link MessageOutbox}. */
  async send(projectId: string, chosenMode: ComposerMode): Promise<void> {
    const { drafts } = this.#sidekeep;
    const key = draftKey(projectId);
    const { mode, text } = parseEntry(drafts.read(key).text, chosenMode);
    if (mode === 'message') return;
    const sending = drafts.send(key);
    drafts.flush();
    const entry: Outgoing = { id: this.#next++, projectId, mode, text, error: null, mended: false };
    this.#sendings.set(entry.id, sending);
    this.set({ outgoing: [...this.get().outgoing, entry], returned: null });
    await this.#deliver(entry, sending, chosenMode);
  }

  /** Tries an entry that waits beside the composer once more. */
  async retry(id: number): Promise<void> {
    const entry = this.get().outgoing.find((candidate) => candidate.id === id);
    const sending = this.#sendings.get(id);
    if (!entry || !sending || entry.error === null) return;
    this.#change(id, (outgoing) => ({ ...outgoing, error: null, mended: false }));
    // It stays where it is seen: a second failure must not put it into the field.
    await this.#deliver(entry, sending, null);
  }

  /** Puts an entry that waits beside the composer back into it. */
  putBack(id: number): void {
    this.#sendings.get(id)?.restore();
    this.#end(id);
  }

  /** What is not saved yet goes where its place is now. */
  follow(moved: ProjectList['moved']): void {
    const idNow = (id: string): string => moved.find(({ from }) => from === id)?.to ?? id;
    const isMoved = ({ projectId }: { projectId: string }): boolean => idNow(projectId) !== projectId;
    const { outgoing, returned } = this.get();
    if (!outgoing.some(isMoved) && !(returned && isMoved(returned))) return;
    this.set({
      outgoing: outgoing.map((entry) => (isMoved(entry) ? { ...entry, projectId: idNow(entry.projectId) } : entry)),
      returned: returned && { ...returned, projectId: idNow(returned.projectId) },
    });
  }

  /** Watches, until the result is called, whether places that could not be read can be read again. */
  watch(): () => void {
    return this.#sidekeep.client.on('context.changed', (push) => {
      if (push.kind === 'change') this.#mend(push.change.projectId, true);
      else this.#mend(push.projectId, false);
    });
  }

  #mend(projectId: string, mended: boolean): void {
    const mend = <Unsaved extends Outgoing | Returned>(entry: Unsaved): Unsaved =>
      entry.projectId === projectId && entry.mended !== mended && isOfReading(entry.error)
        ? { ...entry, mended }
        : entry;
    const { outgoing, returned } = this.get();
    const after = { outgoing: outgoing.map(mend), returned: returned && mend(returned) };
    if (after.returned === returned && after.outgoing.every((entry, index) => entry === outgoing[index])) return;
    this.set(after);
  }

  dismissReturned(): void {
    this.update((state) => ({ ...state, returned: null }));
  }

  async #deliver(entry: Outgoing, sending: Sending, chosenMode: ComposerMode | null): Promise<void> {
    const { drafts } = this.#sidekeep;
    const outcome = await save(this.#sidekeep, entry);
    if (outcome.saved > 0) this.#onSaved(entry.mode, outcome.saved);
    if (outcome.error === null) {
      sending.acknowledge();
      drafts.flush();
      this.#end(entry.id);
      return;
    }
    const { left, error } = outcome;
    // Its place may have moved while it was on its way.
    const { projectId } = this.get().outgoing.find(({ id }) => id === entry.id) ?? entry;
    const returns = chosenMode !== null && drafts.read(draftKey(projectId)).text === '';
    // What waits says its own mode, since the composer may have another one when it is put back.
    const asTyped = left === entry.text && (returns || parseEntry(sending.text, 'note').commanded);
    if (!asTyped) sending.keepOnly(typedWithCommand(entry.mode, left));
    if (returns) {
      sending.restore();
      this.#end(entry.id);
      this.update((state) => ({ ...state, returned: { projectId, error, mended: false } }));
    } else this.#change(entry.id, (outgoing) => ({ ...outgoing, text: left, error, mended: false }));
    drafts.flush();
  }

  #change(id: number, change: (entry: Outgoing) => Outgoing): void {
    this.update((state) => ({
      ...state,
      outgoing: state.outgoing.map((entry) => (entry.id === id ? change(entry) : entry)),
    }));
  }

  #end(id: number): void {
    this.#sendings.delete(id);
    this.update((state) => ({ ...state, outgoing: state.outgoing.filter((entry) => entry.id !== id) }));
  }
}

/** Whether it failed because its place could not be read: then a place that can be read is one that can be written. */
const isOfReading = (error: CallError | null): boolean =>
  error?.code === 'malformed' || error?.detail?.reason === 'root-missing';

async function save(sidekeep: Sidekeep, { projectId, mode, text }: Outgoing): Promise<Outcome> {
  const { client } = sidekeep;
  const change = <Value extends { context: ContextChange }>(subject: string, call: () => Promise<Result<Value>>) =>
    // The composer shows the failure and keeps the text, so the status line need not.
    makeChange(sidekeep, { projectId, subject, text, call, handled: () => true });
  if (mode === 'todo') {
    const lines = todoLines(text);
    const results = await Promise.all(
      lines.map((line) => change('new-todo', () => client.todos.add({ projectId, text: line }))),
    );
    return outcomeOf(results, (failed) => lines.filter((_, index) => failed[index]).join('\n'));
  }
  if (mode === 'note')
    return outcomeOf([await change('new-note', () => client.notes.create({ projectId, body: text }))], () => text);
  const { title, body } = planText(text);
  const input = { projectId, body, ...(title === '' ? {} : { title }) };
  return outcomeOf([await change('new-plan', () => client.plans.create(input))], () => text);
}

function outcomeOf(results: readonly Result<unknown>[], left: (failed: readonly boolean[]) => string): Outcome {
  const saved = results.filter((result) => result.ok).length;
  const failure = results.find((result) => !result.ok);
  if (!failure || failure.ok) return { saved, error: null };
  return { saved, error: failure.error, left: left(results.map((result) => !result.ok)) };
}

import type { CallError, DeletedItem } from '../../src/contract/index.ts';
import type { Sidekeep } from '../state/sidekeep.ts';
import { Store } from '../state/store.ts';
import { restoreDeleted } from '../state/undo.ts';
import { plainTitle } from '../ui/user-text.tsx';
import { cutAtCharacter } from './entry-text.ts';
import { texts } from './strings.ts';

export interface DeletedState {
  readonly projectId: string | null;
  /** Newest first; null while they are being read. */
  readonly items: readonly DeletedItem[] | null;
  readonly problem: CallError | null;
}

/** What was deleted from a target, in whichever window, and the way back. */
export class DeletedItems extends Store<DeletedState> {
  readonly #sidekeep: Sidekeep;
  #turn = 0;
  /** The last restore that was asked for: two that follow each other bring back two things. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(sidekeep: Sidekeep) {
    super({ projectId: null, items: null, problem: null });
    this.#sidekeep = sidekeep;
  }

  /** Keeps the list of a target until the result is called. */
  watch(projectId: string): () => void {
    this.set({ projectId, items: null, problem: null });
    void this.#load(projectId);
    return this.#sidekeep.client.on('context.changed', (push) => {
      if (push.kind === 'change' && push.change.projectId === projectId) void this.#load(projectId);
    });
  }

  /** Brings back one thing; answers the sentence that says what came back, or why nothing did. Never rejects. */
  bringBack(projectId: string, item: DeletedItem): Promise<string> {
    return this.#inTurn(() => this.#restore(projectId, item));
  }

  /** Brings back what was deleted last; answers as {@link bringBack} does. */
  bringBackNewest(projectId: string): Promise<string> {
    return this.#inTurn(async () => {
      const result = await this.#sidekeep.client.context.deleted({ projectId });
      if (!result.ok) return texts.deleted.notBack(result.error.message);
      const [newest] = result.value.items;
      return newest ? this.#restore(projectId, newest) : texts.deleted.nothing;
    });
  }

  async #restore(projectId: string, { id, kind, title, count }: DeletedItem): Promise<string> {
    const result = await restoreDeleted(this.#sidekeep, projectId, { kind, trashId: id });
    return result.ok ? texts.deleted.back[kind](inSentence(title), count) : texts.deleted.notBack(result.error.message);
  }

  #inTurn(job: () => Promise<string>): Promise<string> {
    const done = this.#last.then(job);
    this.#last = done;
    return done;
  }

  async #load(projectId: string): Promise<void> {
    const turn = ++this.#turn;
    const result = await this.#sidekeep.client.context.deleted({ projectId });
    // A later list was asked for meanwhile.
    if (turn !== this.#turn) return;
    this.set({ projectId, items: result.ok ? result.value.items : null, problem: result.ok ? null : result.error });
  }
}

/** Most code units of a title within a sentence. */
const TITLE_LENGTH = 60;

/** A title for a sentence: short, and without the towers of accents that would stand over the lines around it. */
function inSentence(text: string): string {
  const title = plainTitle(text).replace(/(\p{M}{3})\p{M}+/gu, '$1');
  return title.length <= TITLE_LENGTH ? title : `${cutAtCharacter(title, TITLE_LENGTH - 1)}…`;
}

import type { CallError, CallOutput, MemoryEntry, MemoryTitle, Result } from '../../src/contract/index.ts';
import { isFinal, save } from './changes.ts';
import { type MemoryFields, memoryPlace, readable } from './memory-fields.ts';
import type { Sidekeep } from './sidekeep.ts';

/** The sentences of the toasts; the catalog's, so that this file holds no text. Times are in ms since 1970. */
export interface MemoryUndoTexts {
  undo: string;
  retry: string;
  forgotten(at: number): string;
  restored: string;
  notRestored(reason: string): string;
}

/** How a memory that resembles others is stored, as the person chose: in the place of one, or beside them. */
export type SimilarChoice = { readonly replaces: string } | { readonly beside: true };

/** Kind of the toast that offers to bring this back: it goes once that is done. */
const offerOf = (trashId: string): string => `forgotten ${trashId}`;

/**
 * Everything that a window can do to what is remembered for one owner, or for all with null. Each resolves with the call's
 * result and never rejects; what failed stands in the save state unless it is said that the caller shows it.
 */
export function memoryActions(sidekeep: Sidekeep, ownerId: string | null) {
  const { client, toasts } = sidekeep;
  const projectId = memoryPlace(ownerId);

  const restore = async (trashId: string): Promise<Result<CallOutput<'memory.restore'>>> => {
    const result = await save(sidekeep, {
      projectId,
      subject: `restore:${trashId}`,
      handled: () => true,
      call: () => client.memory.restore({ ownerId, trashId }),
    });
    if (result.ok) toasts.closeKind(offerOf(trashId));
    return result;
  };

  const forget = async (entry: MemoryTitle, texts: MemoryUndoTexts): Promise<boolean> => {
    const result = await save(sidekeep, {
      projectId,
      subject: `memory:${entry.id}`,
      call: () => client.memory.delete({ ownerId, memoryId: entry.id }),
    });
    if (!result.ok) return false;
    const { trashId } = result.value;
    const undo = async (): Promise<void> => {
      const restored = await restore(trashId);
      if (restored.ok) return void toasts.show(texts.restored, { kind: 'restored' });
      const again = { label: texts.retry, run: () => void undo() };
      const action = isFinal(restored.error) ? null : again;
      toasts.show(texts.notRestored(restored.error.message), { kind: offerOf(trashId), action });
    };
    toasts.show(texts.forgotten(Date.now()), {
      kind: offerOf(trashId),
      action: { label: texts.undo, run: () => void undo() },
    });
    return true;
  };

  return {
    /** @param retry stands for the same again, with what the form holds then */
    create: (
      fields: MemoryFields,
      choice: SimilarChoice | null,
      retry: () => void,
    ): Promise<Result<CallOutput<'memory.create'>>> =>
      save(sidekeep, {
        projectId,
        subject: 'new-memory',
        text: readable(fields),
        retry,
        call: () => client.memory.create({ ownerId, ...fields, ...choice }),
      }),

    /**
     * Changes what differs from what the edit began with.
     * @param handled failures that the caller shows itself, such as `conflict`
     */
    update: (
      memoryId: string,
      before: MemoryFields,
      { title, body, type }: MemoryFields,
      revision: string,
      handled: (error: CallError) => boolean,
    ): Promise<Result<CallOutput<'memory.update'>>> =>
      save(sidekeep, {
        projectId,
        subject: `memory:${memoryId}`,
        text: readable({ title, body, type }),
        handled,
        call: () =>
          client.memory.update({
            ownerId,
            memoryId,
            revision,
            ...(title === before.title ? {} : { title }),
            ...(body === before.body ? {} : { body }),
            ...(type === before.type ? {} : { type }),
          }),
      }),

    /** Forgets at once, and offers to undo that; answers whether it is gone. */
    forget: (entry: MemoryTitle, texts: MemoryUndoTexts): Promise<boolean> => toasts.during(() => forget(entry, texts)),

    /** Brings back what was forgotten. The caller shows a failure; nothing is lost by it. */
    restore,

    /** Lets sessions be told of a suspicious memory, as it stood when the person read it, or not any more. */
    allow: ({ id: memoryId, revision }: MemoryEntry, allowed: boolean): Promise<Result<CallOutput<'memory.allow'>>> =>
      save(sidekeep, {
        projectId,
        subject: `memory-allow:${memoryId}`,
        call: () => client.memory.allow({ ownerId, memoryId, allowed, revision }),
      }),
  };
}

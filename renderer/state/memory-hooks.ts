import type { MemoryEntry, MemoryList } from '../../src/contract/index.ts';
import { type Answer, useAnswer } from './answers.ts';
import { useSettings, useSidekeep } from './hooks.ts';
import { usePushes } from './pushes.ts';
import type { Sidekeep } from './sidekeep.ts';

/** Whether there is any memory at all; false until the settings are known. */
export const useMemoryEnabled = (): boolean => useSettings().value?.memoryEnabled ?? false;

/** The same outside of a component. */
export const isMemoryEnabled = ({ shared }: Sidekeep): boolean => shared.value('settings')?.memoryEnabled ?? false;

/** What is remembered for an owner, or for all with null, read again whenever that changes. Only while memory is on. */
export function useMemoryList(ownerId: string | null): Answer<MemoryList> {
  const { client } = useSidekeep();
  const pushes = usePushes('memory.changed', (payload) => payload.ownerId === ownerId);
  return useAnswer(['memory', ownerId, pushes], () => client.memory.list({ ownerId }));
}

/** One memory with its text, read again whenever what is remembered there changes. */
export function useMemoryEntry(ownerId: string | null, memoryId: string): Answer<MemoryEntry> {
  const { client } = useSidekeep();
  const pushes = usePushes('memory.changed', (payload) => payload.ownerId === ownerId);
  return useAnswer(['memory-entry', ownerId, memoryId, pushes], () => client.memory.read({ ownerId, memoryId }));
}

/** What was forgotten and can come back. */
export function useForgotten(ownerId: string | null) {
  const { client } = useSidekeep();
  const pushes = usePushes('memory.changed', (payload) => payload.ownerId === ownerId);
  return useAnswer(['forgotten', ownerId, pushes], () => client.memory.deleted({ ownerId }));
}

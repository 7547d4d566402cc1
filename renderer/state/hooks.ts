import { skipToken, useQuery } from '@tanstack/react-query';
import { createContext, use, useEffect } from 'react';
import { type ContextEntry, emptyEntry } from './context-entry.ts';
import { contextKey } from './context-sync.ts';
import type { Draft } from './drafts.ts';
import type { SaveState } from './save-state.ts';
import { type SharedEntry, type SharedName, type SharedValues, sharedKey } from './shared-values.ts';
import type { Sidekeep } from './sidekeep.ts';
import { useStore, useStorePart } from './store.ts';

/** Gives the window's state to its components; see `ui/window-root.tsx`. */
export const SidekeepContext = createContext<Sidekeep | null>(null);

/** The window's state. */
export function useSidekeep(): Sidekeep {
  const sidekeep = use(SidekeepContext);
  if (!sidekeep) throw new Error('useSidekeep outside of a window root');
  return sidekeep;
}

/** One owner's context. `view` null and `problem` null means that it is still loading. */
export function useContext(projectId: string): ContextEntry {
  const { contexts } = useSidekeep();
  // The sync writes the cache itself: an answer of a query function could arrive behind a newer push and replace it.
  const query = useQuery<ContextEntry>({ queryKey: contextKey(projectId), queryFn: skipToken });
  useEffect(() => contexts.ensure(projectId), [contexts, projectId]);
  return query.data ?? emptyEntry;
}

function useShared<Name extends SharedName>(name: Name): SharedEntry<SharedValues[Name]> {
  const { shared } = useSidekeep();
  const query = useQuery<SharedEntry<SharedValues[Name]>>({ queryKey: sharedKey(name), queryFn: skipToken });
  useEffect(() => shared.ensure(name), [shared, name]);
  return query.data ?? { value: null, problem: null };
}

/** Chats and the projects. `value` null and `problem` null means that it is still loading; so for the others. */
export const useProjects = () => useShared('projects');
export const useSettings = () => useShared('settings');
export const useWindows = () => useShared('windows');
export const useWatcher = () => useShared('watcher');
export const useChats = () => useShared('chats');

/** The draft of one field and its setter. Only this field renders when it changes. */
export function useDraft(key: string): [Draft, (text: string) => void] {
  const { drafts } = useSidekeep();
  const draft = useStorePart(drafts, (all) => all.get(key)) ?? drafts.read(key);
  return [draft, (text) => drafts.write(key, text)];
}

export function useSaveState(): SaveState {
  return useStore(useSidekeep().saves);
}

import { useEffect } from 'react';
import type { Project, ProjectList } from '../../../src/contract/index.ts';
import { useSettings, useSidekeep } from '../../state/hooks.ts';
import { strings } from '../../ui/strings.ts';
import { navigation } from '../navigation.ts';

/** Whether the person wants Chats in the list of places; also where that cannot be known. */
export const useChatsVisible = (): boolean => useSettings().value?.chatsVisible ?? true;

/** The projects of the list that are shown by themselves. */
export const shownProjects = ({ projects, chatsId }: ProjectList): Project[] =>
  projects.filter(({ id, hidden }) => !hidden && id !== chatsId);

/**
 * While Chats is left out of the list the window does not stay there: it goes to the first project, if there is one. Chats
 * can still be gone to, by a search or from the Mini Chat, and is in the list for as long as it is shown.
 * @param isAtChats whether Chats is shown, and no session of it
 */
export function useLeavingHiddenChats(list: ProjectList, isAtChats: boolean): void {
  const isVisible = useChatsVisible();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only in the moment in which it is left out, and at the start
  useEffect(() => {
    const [first] = shownProjects(list);
    if (!isVisible && isAtChats && first) navigation.goToProject(first.id);
  }, [isVisible]);
}

/** Takes Chats out of the list of places or puts it back; a failure is told by a toast. */
export function useSettingChatsVisible(): (isVisible: boolean) => Promise<void> {
  const { client, shared, toasts } = useSidekeep();
  const set = async (chatsVisible: boolean): Promise<void> => {
    const result = await client.settings.update({ chatsVisible });
    if (!result.ok) return void toasts.show(result.error.message);
    shared.accept('settings', result.value);
    if (chatsVisible) toasts.closeKind(KIND);
    else {
      const action = { label: strings.common.undo, run: () => void set(true) };
      toasts.show(strings.rail.chatsHid, { kind: KIND, action });
    }
  };
  return set;
}

const KIND = 'chats hidden';

import type { ProjectList } from '../../src/contract/index.ts';
import type { Draft } from '../state/drafts.ts';
import { strings } from '../ui/strings.ts';
import { draftKey, findKey } from './draft-keys.ts';

/** Where an entry can go. */
export interface Target {
  readonly id: string;
  /** Null for Chats, whose name the catalog holds. */
  readonly label: string | null;
  /** The folder, for display. */
  readonly path: string | null;
}

/** The name of a target, as the person knows it. */
export const nameOf = (target: Target): string => target.label ?? strings.common.chats;

/** Chats first, then the projects that are not hidden. */
export function targetsOf(list: ProjectList): Target[] {
  const projects = list.projects.filter(({ id, hidden }) => !hidden && id !== list.chatsId);
  return [
    { id: list.chatsId, label: null, path: null },
    ...projects.map(({ id, label, path }) => ({ id, label, path })),
  ];
}

/** The target that is wanted, or Chats in place of one that is hidden or gone. */
export function resolveTarget(list: ProjectList, wanted: string | null): { target: Target; vanished: boolean } {
  const targets = targetsOf(list);
  const chats: Target = { id: list.chatsId, label: null, path: null };
  const found = targets.find(({ id }) => id === (wanted ?? list.chatsId));
  return { target: found ?? chats, vanished: found === undefined };
}

/** The id that a place has now: its folder may have moved since. */
export function followed(list: ProjectList, projectId: string): string {
  if (isListed(list, projectId)) return projectId;
  return list.moved.find(({ from }) => from === projectId)?.to ?? projectId;
}

/** The moves of places for which something is typed that has not gone along. */
export function movesOfDrafts(drafts: ReadonlyMap<string, Draft>, list: ProjectList): ProjectList['moved'] {
  const hasText = (projectId: string): boolean =>
    [draftKey(projectId), findKey(projectId)].some((key) => (drafts.get(key)?.text ?? '') !== '');
  return list.moved.filter(({ from, to }) => !isListed(list, from) && isListed(list, to) && hasText(from));
}

/** What was typed for places that are not in the list at all and did not move; those that are hidden keep it. */
export function strandedDrafts(drafts: ReadonlyMap<string, Draft>, list: ProjectList): { key: string; text: string }[] {
  const end = draftKey('');
  const isGone = (projectId: string): boolean => !isListed(list, followed(list, projectId));
  return [...drafts]
    .filter(([key, { text }]) => key.endsWith(end) && text.trim() !== '' && isGone(key.slice(0, -end.length)))
    .map(([key, { text }]) => ({ key, text }));
}

/** Whether a place is in the list, be it hidden. */
export const isListed = (list: ProjectList, projectId: string): boolean =>
  projectId === list.chatsId || list.projects.some(({ id }) => id === projectId);

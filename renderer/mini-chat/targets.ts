import type { ProjectList } from '../../src/contract/index.ts';
import { strings } from '../ui/strings.ts';

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

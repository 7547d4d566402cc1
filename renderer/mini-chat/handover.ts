import type { CallInput, ComposerMode, Section, SessionRef } from '../../src/contract/index.ts';
import { type EntryMode, parseEntry } from './commands.ts';

export type Handover = CallInput<'windows.openInSidebar'>;

const sections: Readonly<Record<EntryMode, Section>> = { note: 'notes', todo: 'todos', plan: 'plans' };

/**
 * What the sidebar is given: the target, and what was typed with the mode that it stands for. Messages are written in the
 * Mini Chat only: in their mode the sidebar is given the session, and what was typed stays where it is.
 */
export function handoverOf(
  projectId: string,
  typed: string,
  mode: ComposerMode,
  session: SessionRef | null = null,
): Handover {
  const entry = parseEntry(typed, mode);
  if (entry.mode !== 'message' && entry.text.trim() !== '') {
    return { projectId, section: sections[entry.mode], draft: { mode: entry.mode, text: entry.text } };
  }
  return mode === 'message' && session !== null ? { projectId, session } : { projectId };
}

import type { CallInput, ComposerMode, Section } from '../../src/contract/index.ts';
import { parseEntry } from './commands.ts';

export type Handover = CallInput<'windows.openInSidebar'>;

const sections: Readonly<Record<ComposerMode, Section>> = { note: 'notes', todo: 'todos', plan: 'plans' };

/** What the sidebar is given: the target, and what was typed with the mode that it stands for. */
export function handoverOf(projectId: string, typed: string, mode: ComposerMode): Handover {
  const entry = parseEntry(typed, mode);
  if (entry.text.trim() === '') return { projectId };
  return { projectId, section: sections[entry.mode], draft: { mode: entry.mode, text: entry.text } };
}

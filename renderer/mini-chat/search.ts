import { useEffect, useRef, useState } from 'react';
import type { FoundEntry } from '../../src/contract/index.ts';
import { Finding } from '../state/finding.ts';
import { useDraft, useSidekeep } from '../state/hooks.ts';
import type { Sidekeep } from '../state/sidekeep.ts';
import { searchedFor } from './commands.ts';
import { draftKey, findKey } from './draft-keys.ts';
import { typeInto } from './field-text.ts';
import { focusComposer, selectInComposer } from './focus.ts';
import type { Target } from './targets.ts';

const COMMAND = '/find ';

/** Puts what was typed where it belongs: into the text to record or into the search. */
export function typeInField({ drafts }: Sidekeep, projectId: string, typed: string): void {
  const before = { draft: drafts.read(draftKey(projectId)).text, find: drafts.read(findKey(projectId)).text };
  const after = typeInto(before, typed);
  if (after.draft !== before.draft) drafts.write(draftKey(projectId), after.draft);
  if (after.find !== before.find) drafts.write(findKey(projectId), after.find);
  // At once: a page that dies does not get to say goodbye.
  drafts.flush();
}

/** An entry of the stream that was looked for; a new object each time. */
export interface Marked {
  readonly projectId: string;
  /** Key of its row. */
  readonly key: string;
}

/** The search of the target. */
export interface TargetSearch {
  readonly finding: Finding;
  readonly isOn: boolean;
  readonly everywhere: boolean;
  readonly marked: Marked | null;
  /** Sets the text aside and searches, with the words of the last time; a search that is on takes the keyboard. */
  begin(everywhere: boolean): void;
  setEverywhere(everywhere: boolean): void;
  /** Ends the search: the text that was set aside is back. */
  leave(): void;
  /** Shows an entry: in the stream if it stands there, else in the sidebar. */
  show(found: FoundEntry, inSidebar: boolean): void;
  unmark(): void;
}

/** @param openInSidebar shows an entry in the other window */
export function useTargetSearch(target: Target, openInSidebar: (found: FoundEntry) => void): TargetSearch {
  const { client, drafts, contexts } = useSidekeep();
  const [finding] = useState(() => new Finding(client));
  const [{ text: typed }, write] = useDraft(findKey(target.id));
  const [everywhere, setEverywhere] = useState(false);
  const [marked, setMarked] = useState<Marked | null>(null);
  const lastWords = useRef(new Map<string, string>());
  const isOn = typed !== '';
  useEffect(() => (isOn ? finding.watch() : undefined), [finding, isOn]);
  useEffect(
    () => finding.search(everywhere ? null : target.id, searchedFor(typed)),
    [finding, everywhere, target.id, typed],
  );
  const leave = () => {
    const words = searchedFor(typed);
    if (words.trim() !== '') lastWords.current.set(target.id, words);
    write('');
    drafts.flush();
    setEverywhere(false);
    focusComposer();
  };
  return {
    finding,
    isOn,
    everywhere,
    marked: marked?.projectId === target.id ? marked : null,
    begin: (wanted) => {
      if (!isOn) {
        write(COMMAND + (lastWords.current.get(target.id) ?? ''));
        drafts.flush();
        setMarked(null);
      }
      setEverywhere(wanted);
      selectInComposer(COMMAND.length);
    },
    setEverywhere,
    leave,
    show: (found, inSidebar) => {
      const row = inSidebar || found.projectId !== target.id ? null : rowOf(found);
      const list = contexts.entry(target.id).view?.[found.section] ?? [];
      if (row === null || !list.some(({ id }) => id === found.id)) return openInSidebar(found);
      leave();
      setMarked({ projectId: target.id, key: row });
    },
    unmark: () => setMarked(null),
  };
}

/** Key of the row of an entry that can be read in the stream; a plan's text can only be read in the sidebar. */
const rowOf = ({ section, id }: FoundEntry): string | null =>
  section === 'plans' ? null : `${section === 'notes' ? 'note' : 'todo'}:${id}`;

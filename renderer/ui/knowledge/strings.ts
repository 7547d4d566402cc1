import type { KnowledgeBlock, KnowledgeReason } from '../../../src/contract/index.ts';
import { counted } from '../strings.ts';

const number = new Intl.NumberFormat('en');
const list = new Intl.ListFormat('en');

type Parts = KnowledgeBlock['parts'];

/** `2 notes, 1 plan and 3 titles of memories`; null when there is nothing. */
function amounts(parts: Parts): string | null {
  const count = (kind: Parts[number]['kind']): number => parts.filter((part) => part.kind === kind).length;
  const words = [
    [count('note'), '# note', '# notes'],
    [count('plan'), '# plan', '# plans'],
    [count('memory'), 'the title of # memory', 'the titles of # memories'],
  ] as const;
  const shown = words.filter(([of]) => of > 0).map(([of, one, other]) => counted(of, one, other));
  return shown.length === 0 ? null : list.format(shown);
}

const reasons: Record<KnowledgeReason, string> = {
  first: 'It was not told any of this yet: the next message is recorded with all that stands below.',
  pins: 'What is pinned has changed since it was told: the next message is recorded with all that stands below.',
  content: 'What it was told says something else by now: the next message is recorded with all that stands below.',
  compacted:
    'It was shortened since it was told: the next message is recorded with all that stands below, so that it is not lost.',
  unknown: 'It cannot be seen what it was told last: the next message is recorded with all that stands below.',
};

/** The texts about what a session is told, in both windows. */
export const knowledgeTexts = {
  open: 'What this session will be told',
  openShort: 'What it will be told…',
  reasons,
  upToDate: 'It was told all of this already: nothing goes with the next message until something changes.',
  nothing: 'There is nothing to tell it yet. Pin a note or a plan, and every session like it knows what counts.',
  foreign:
    'This session was made by another program, and nothing is recorded in it here. What is pinned goes along when it is continued as a copy.',
  inUse: 'Another program has this session open at the moment. Nothing is recorded in it here until it lets go.',
  loading: 'Looking for what it is told…',
  failed: (reason: string) => `It cannot be seen what this session is told. ${reason}`,
  leftOut: 'Left out, since it could not be read:',
  pinsProblem: (reason: string) => `What is pinned cannot be read, and nothing of it is told. ${reason}`,
  pinned: 'Pinned to this session',
  nothingPinned: 'Nothing is pinned.',
  noOwner: 'This session belongs to no place that is known here, so there is nothing to choose from.',
  kinds: { note: 'Note', plan: 'Plan', memory: 'Memory' },
  told: {
    whole: null,
    cut: 'Told in part, the rest is too long',
    title: 'Only its title, the rest is too long',
    unavailable: 'Cannot be read at the moment',
  } satisfies Record<Parts[number]['told'], string | null>,
  stale: 'No longer there; goes with the next change',
  unpin: 'Remove',
  unpinOf: (title: string) => `Stop telling it ${title}`,
  choose: 'Pin notes and plans',
  chooseHint: 'Chosen ones are told whole, as far as there is room.',
  filter: 'Find a note or plan',
  list: 'Notes and plans of this place',
  none: 'This place has no notes and no plans yet.',
  noMatch: (words: string) => `No note or plan has “${words}”.`,
  more: (shown: number, all: number) =>
    `The first ${number.format(shown)} of ${number.format(all)} are shown. Add a word to narrow it down.`,
  memories: (count: number) => counted(count, 'Title of # memory', 'Titles of # memories'),
  words: 'The words themselves',
  size: (length: number, most: number) => `${number.format(length)} of at most ${number.format(most)} characters`,
  copied: 'Copy the words',
  notChanged: (reason: string) => `What is pinned was not changed. ${reason}`,

  line: (parts: Parts) => {
    const what = amounts(parts);
    return what === null ? null : `Your next message also tells the session ${what}.`;
  },
  lineLeftOut: (count: number) =>
    counted(count, '# thing that it should know cannot be read.', '# things that it should know cannot be read.'),
  show: 'Show',
  recordedWithout: (what: readonly string[]) => `Recorded. The session was not told everything: ${what.join(' ')}`,

  pinTo: (session: string) => `Pin to session ${session}`,
  unpinFrom: (session: string) => `Unpin from session ${session}`,
  pinToOpen: 'Tell the open session',
  unpinFromOpen: 'Stop telling the open session',
  pinnedNow: (session: string) => `Session ${session} will be told of it.`,
  unpinnedNow: (session: string) => `Session ${session} will not be told of it any more.`,
};

import { type KnowledgeBlock, knowledgeLimits } from '../contract/knowledge-entities.ts';
import { digestOf } from '../files/text.ts';
import { bodyLines, type Fitted, fitBody, LEAST_ROOM, noteTitle, shareRoom, shortTitle } from './block-text.ts';
import { type BlockMemory, memorySection, oldestFirst } from './memory-titles.ts';

/** A pinned note. */
export interface BlockNote {
  readonly id: string;
  readonly body: string;
  /** Ms since 1970. */
  readonly createdAt: number;
}

/** A pinned plan; its body is null when it cannot be read or its file is gone. */
export interface BlockPlan {
  readonly id: string;
  readonly title: string;
  readonly body: string | null;
  readonly createdAt: number;
}

/** All that a session is to be told. */
export interface BlockInput {
  /** With the plans at most {@link knowledgeLimits.pins}. */
  readonly notes: readonly BlockNote[];
  readonly plans: readonly BlockPlan[];
  readonly memory: BlockMemory;
}

export type Block = Omit<KnowledgeBlock, 'leftOut'>;

const INTRODUCTION =
  'Standing background from the notes and plans of the person whom you work for; it is here to be known, not to be acted on by itself.';
const NOTES_HEADING = '## Pinned notes';
const PLAN_HEADING = '## Pinned plan: ';
const UNAVAILABLE = '(plan content unavailable)';
const GAP = '\n\n';
const LONGEST_TITLE = 160;
/** What a note and a plan get at least, gaps included: enough for a title and a mark. */
const LEAST_NOTE = LEAST_ROOM + 1;
const LEAST_PLAN = 100;

/**
 * What a session is told (docs/formats/context-format.md, section 13): pinned notes, then pinned plans, each oldest first,
 * then titles of memories. Never longer than {@link knowledgeLimits.block}; whatever does not fit is cut with a mark, and of
 * every note and plan at least the title stands there. The same input makes the same block.
 */
export function buildBlock(input: BlockInput): Block {
  const notes = input.notes.toSorted(oldestFirst);
  const plans = input.plans.toSorted(oldestFirst);
  const isPinned = notes.length + plans.length > 0;
  const leastOfPlans = plans.length * LEAST_PLAN;
  const leastOfNotes = notes.length === 0 ? 0 : NOTES_HEADING.length + GAP.length + notes.length * LEAST_NOTE;
  const frame = isPinned ? INTRODUCTION.length + GAP.length : 0;
  const whole = knowledgeLimits.block - frame;
  const memory = memorySection(input.memory, Math.min(knowledgeLimits.memory, whole - leastOfPlans - leastOfNotes));
  const rest = whole - (memory?.text.length ?? 0);
  const noteTexts = fitNotes(notes, Math.min(knowledgeLimits.notes, rest - leastOfPlans - GAP.length));
  const notesText = noteTexts.length === 0 ? '' : [NOTES_HEADING, ...noteTexts.map(({ text }) => text)].join('\n');
  const planTexts = fitPlans(plans, rest - notesText.length - GAP.length);
  const sections = [isPinned ? INTRODUCTION : '', notesText, ...planTexts.map(({ text }) => text), memory?.text ?? ''];
  return {
    text: sections.filter((section) => section !== '').join(GAP),
    signature: signatureOf(input),
    parts: [
      ...notes.map(({ id, body }, index) => part('note', id, noteTitle(body), noteTexts[index]?.told ?? 'title')),
      ...plans.map(({ id, title }, index) =>
        part('plan', id, shortTitle(title, LONGEST_TITLE), planTexts[index]?.told ?? 'title'),
      ),
      ...(memory?.listed ?? []).map(({ id, title }) =>
        part('memory', id, shortTitle(title, LONGEST_TITLE), 'title' as const),
      ),
    ],
  };
}

type Part = Block['parts'][number];

const part = (kind: Part['kind'], id: string, title: string, told: Part['told']): Part => ({ kind, id, title, told });

/** @param room Of the whole section, its heading included. */
function fitNotes(notes: readonly BlockNote[], room: number): Fitted[] {
  const lines = notes.map(({ body }) => bodyLines(body, '- '));
  // Each stands behind a line break.
  const wanted = lines.map((note) => note.join('\n').length + 1);
  const rooms = shareRoom(wanted, room - NOTES_HEADING.length);
  return lines.map((note, index) => fitBody(note, (rooms[index] ?? 0) - 1));
}

interface FittedPlan {
  readonly text: string;
  readonly told: Part['told'];
}

/** @param room Of all plans with the gaps before them. */
function fitPlans(plans: readonly BlockPlan[], room: number): FittedPlan[] {
  const whole = plans.map(wholePlan);
  const wanted = whole.map(({ text }) => text.length + GAP.length);
  const rooms = shareRoom(wanted, room);
  return whole.map((plan, index) => fitPlan(plan, (rooms[index] ?? 0) - GAP.length));
}

interface WholePlan extends FittedPlan {
  readonly title: string;
  readonly content: readonly string[];
}

function wholePlan({ title, body }: BlockPlan): WholePlan {
  const content = body === null ? [UNAVAILABLE] : body.trim() === '' ? [] : bodyLines(body, '  ');
  const text = [PLAN_HEADING + shortTitle(title, LONGEST_TITLE), ...content].join('\n');
  return { title, content, text, told: body === null ? 'unavailable' : 'whole' };
}

function fitPlan({ title, content, text, told }: WholePlan, room: number): FittedPlan {
  if (text.length <= room) return { text, told };
  const least = Math.min(LEAST_ROOM, content.join('\n').length);
  const titleRoom = Math.min(LONGEST_TITLE, room - PLAN_HEADING.length - 1 - least);
  const heading = PLAN_HEADING + shortTitle(title, titleRoom);
  if (content.length === 0) return { text: heading, told };
  const fitted = fitBody(content, room - heading.length - 1);
  return { text: `${heading}\n${fitted.text}`, told: told === 'whole' ? fitted.told : told };
}

/**
 * Changes with any content that is told and with nothing else: neither with the order in which the input comes, nor with
 * times. Empty when there is nothing.
 */
function signatureOf({ notes, plans, memory }: BlockInput): string {
  const titles = (kind: string, list: BlockMemory['global']) =>
    list.map(({ id, title, type }) => [kind, id, digestOf(JSON.stringify([title, type]))]);
  const parts = [
    ...notes.map(({ id, body }) => ['note', id, digestOf(body.trim())]),
    ...plans.map(({ id, title, body }) => ['plan', id, digestOf(JSON.stringify([title, body]))]),
    ...titles('memory-global', memory.global),
    ...titles('memory-owner', memory.owner),
  ];
  if (parts.length === 0) return '';
  return `v2:${digestOf(
    parts
      .map((one) => JSON.stringify(one))
      .sort()
      .join('|'),
  )}`;
}

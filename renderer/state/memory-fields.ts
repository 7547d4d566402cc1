import { memoryLimits } from '../../src/contract/index.ts';

/** What a memory is of, as a person can choose it. */
export const memoryTypes = ['fact', 'preference', 'reference'] as const;
export type MemoryType = (typeof memoryTypes)[number];

/** A memory as it is typed. */
export interface MemoryFields {
  readonly title: string;
  readonly body: string;
  readonly type: MemoryType;
}

export const emptyFields: MemoryFields = { title: '', body: '', type: 'fact' };

/** What another program stored as its type counts as a fact. */
export const typeOf = (stored: string): MemoryType => memoryTypes.find((type) => type === stored) ?? 'fact';

/** Whether both texts are there, as a memory needs them. */
export const isComplete = ({ title, body }: MemoryFields): boolean => title.trim() !== '' && body.trim() !== '';

/** Whether nothing was typed. */
export const isBlank = ({ title, body }: MemoryFields): boolean => title === '' && body === '';

export const isSameFields = (first: MemoryFields, second: MemoryFields): boolean =>
  first.title === second.title && first.body === second.body && first.type === second.type;

/** A memory as the text of a draft; empty when nothing was typed, so that the draft goes. */
export const draftOf = (fields: MemoryFields): string => (isBlank(fields) ? '' : JSON.stringify(fields));

/**
 * The fields in the text of a draft. A text that is none, such as two drafts that became one when a project moved, is
 * shown as it is: what was typed is never thrown away.
 */
export function fieldsOf(draft: string): MemoryFields {
  if (draft === '') return emptyFields;
  try {
    const value = JSON.parse(draft) as Partial<Record<keyof MemoryFields, unknown>> | null;
    if (typeof value?.title === 'string' && typeof value.body === 'string') {
      return { title: value.title, body: value.body, type: typeOf(String(value.type)) };
    }
  } catch {
    // Not one draft of ours: shown as text below.
  }
  return { ...emptyFields, body: draft };
}

/** The text as readable words, to be copied when it could not be saved. */
export const readable = ({ title, body }: MemoryFields): string => (title === '' ? body : `${title}\n\n${body}`);

/** Whether both texts keep to the limits of new input. */
export const isWithinLimits = ({ title, body }: MemoryFields): boolean =>
  title.length <= memoryLimits.title && body.length <= memoryLimits.body;

/** Stands for the memory of all owners where the id of one would be, in keys. */
const ALL = '*';

/** Key of the draft of a new memory. @param ownerId null: of all owners */
export const newMemoryKey = (ownerId: string | null): string => `${ownerId ?? ALL}/new-memory`;

/** Key of the draft of a memory that is edited. */
export const memoryKey = (ownerId: string | null, id: string): string => `${ownerId ?? ALL}/memory:${id}`;

/** Names an owner's memory in the save state. */
export const memoryPlace = (ownerId: string | null): string => `${ownerId ?? ALL}/memory`;

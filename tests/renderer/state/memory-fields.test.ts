import { describe, expect, it } from 'vitest';
import {
  draftOf,
  emptyFields,
  fieldsOf,
  isComplete,
  type MemoryFields,
} from '../../../renderer/state/memory-fields.ts';

const fields: MemoryFields = { title: 'Deploys', body: 'On Tuesdays.\n"Never" on Fridays.', type: 'preference' };

describe('the draft of a memory', () => {
  it('is read as it was typed', () => {
    expect(fieldsOf(draftOf(fields))).toEqual(fields);
    expect(fieldsOf(draftOf({ ...emptyFields, title: ' ' }))).toEqual({ ...emptyFields, title: ' ' });
  });

  it('goes when nothing was typed, whatever type is chosen', () => {
    expect(draftOf({ ...emptyFields, type: 'reference' })).toBe('');
    expect(fieldsOf('')).toEqual(emptyFields);
  });

  it.each(['{"title":1}', 'null', 'plain words', `${draftOf(fields)}\n\n${draftOf(fields)}`])(
    'keeps every character of a text that is no draft: %s',
    (text) => {
      expect(fieldsOf(text)).toEqual({ ...emptyFields, body: text });
    },
  );

  it('takes an unknown type for a fact', () => {
    expect(fieldsOf('{"title":"a","body":"b","type":"dream"}').type).toBe('fact');
  });
});

it('is complete with a title and a text that show something', () => {
  expect(isComplete(fields)).toBe(true);
  expect(isComplete({ ...fields, title: ' \n' })).toBe(false);
  expect(isComplete({ ...fields, body: '\t' })).toBe(false);
});

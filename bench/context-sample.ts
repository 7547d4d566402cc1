import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const start = 1_700_000_000_000;

/** Bytes of a context file with 40 notes and 20 todos, the newest note being `text`. */
export const contextWith = (text: string): string => {
  const note = (index: number, body: string) => ({
    id: `note-${index}`,
    body,
    createdAt: start + index,
    updatedAt: start + index,
    source: 'manual',
  });
  return JSON.stringify(
    {
      version: 2,
      notes: [
        { ...note(1000, text), id: `note-${text}` },
        ...Array.from({ length: 39 }, (_, index) => note(index, `Note ${index}. ${'Some words of text. '.repeat(12)}`)),
      ],
      todos: Array.from({ length: 20 }, (_, index) => ({
        id: `todo-${index}`,
        text: `Todo ${index}`,
        completed: index % 3 === 0,
        createdAt: start + index,
      })),
      plans: [],
    },
    null,
    2,
  );
};

/** How another program saves: straight into the file, or beside it and by a rename over it. */
export type SaveStyle = 'in place' | 'by rename';

export const saveStyles: readonly SaveStyle[] = ['in place', 'by rename'];

/** Saves a file as another program does. @returns ms since 1970 at which the change began to be visible. */
export const saveAs = (style: SaveStyle, file: string, content: string): number => {
  if (style === 'in place') {
    const began = Date.now();
    writeFileSync(file, content);
    return began;
  }
  const temporary = `${file}.tmp-${process.pid}-${Date.now()}-${randomBytes(4).toString('hex')}`;
  writeFileSync(temporary, content);
  const began = Date.now();
  renameSync(temporary, file);
  return began;
};

/** Makes a project's folder below a root. @returns its context file, which is not there yet. */
export const makeProjectFolder = (root: string, projectId: string): string => {
  const folder = path.join(root, 'projects', projectId);
  mkdirSync(path.join(folder, 'plans'), { recursive: true });
  return path.join(folder, 'context.json');
};

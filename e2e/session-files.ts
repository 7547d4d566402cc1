import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { artifactName, artifacts } from '../src/sessions/artifacts.ts';
import { fileOf, filesBelow, lines, prepareSession, storeIn } from './session-parts.ts';

/** The session with every artifact. */
export const WHOLE = 'whole';

/** A session with every artifact of the table, each of which holds the text. */
export function prepareWhole(dataFolder: string, text: string): void {
  prepareSession(dataFolder, WHOLE, [{ role: 'user', content: text }], { custom_title: 'Whole' });
  const record = { schema_version: 1, type: 'replace', revision: 1, messages: [{ role: 'user', content: text }] };
  // Of the table's rows, and of what belongs to a session by its name alone.
  for (const suffix of ['.guardian.events.jsonl', '.made-by-a-later-version.json']) {
    writeFileSync(fileOf(dataFolder, WHOLE, suffix), text);
  }
  for (const row of artifacts()) {
    const file = path.join(storeIn(dataFolder), artifactName(row, WHOLE));
    if (row.kind === 'events') writeFileSync(file, lines(record));
    else if (row.form === 'folder') {
      mkdirSync(path.join(file, 'deep', 'er'), { recursive: true });
      writeFileSync(path.join(file, 'deep', 'er', 'one.json'), text);
    } else if (!existsSync(file) && row.trash !== 'marker') writeFileSync(file, row.trash === 'lock' ? '' : text);
  }
}

/** Names of files below the data folder that hold a text, Chromium's own files left out. */
export function holding(dataFolder: string, text: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(dataFolder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.includes('chromium-host')) continue;
    const file = path.join(entry.parentPath, entry.name);
    const bytes = readFileSync(file);
    // Also in the encoding that a program may keep text in memory with.
    if (bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le')))
      found.push(path.relative(dataFolder, file));
  }
  return found;
}

/** Names of the folders in the trash. */
export const trashIn = (dataFolder: string): string[] => {
  const folder = path.join(storeIn(dataFolder), '.trash');
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
};
const locks = artifacts().flatMap((row) => (row.trash === 'lock' ? [artifactName(row, WHOLE)] : []));
/** Files of the store that are there for the person: not what only says who has a session open, and not the trash. */
export const kept = (dataFolder: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filesBelow(storeIn(dataFolder))).filter(([name]) => !name.startsWith('.') && !locks.includes(name)),
  );

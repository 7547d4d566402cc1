import { createHash } from 'node:crypto';
import { BackupId } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { isRecord, type JsonObject, own, parseStored, serialiseStored, withKeys } from '../files/json.ts';
import { isPlanFile, linkedFile } from './entries.ts';
import { hashOf, type Left, listFolder, readableFileOf, readFileOf } from './merge-folders.ts';
import type { Copy } from './merge-journal.ts';
import type { PlanMoves } from './merge-plans.ts';
import type { ProjectFiles } from './project-files.ts';

/** What of the source's trash and earlier versions comes along. */
export interface KeptMoves {
  copies: Copy[];
  left: Left[];
}

const trashName = /^(\d+-[0-9a-f]{12})(?:\.json|\.(\d+)\.md)$/;

/**
 * Finds free names in the destination for what was deleted in the source and for its earlier versions; a copy that is
 * there already is used.
 *
 * @param plans What becomes of the source's plan files.
 */
export async function moveKept(source: ProjectFiles, destination: ProjectFiles, plans: PlanMoves): Promise<KeptMoves> {
  const trash = await moveTrash(source, destination, plans.names);
  const backups = await moveBackups(source, destination, plans.names);
  const versions = await movePlanVersions(source, destination, plans);
  return {
    copies: [...trash.copies, ...backups.copies, ...versions.copies],
    left: [...trash.left, ...backups.left, ...versions.left],
  };
}

/** An earlier version of a context as the destination may go back to it: its plans are those of the source. */
export function rewrittenBackup(bytes: Buffer, planNames: ReadonlyMap<string, string>): Buffer {
  let raw: JsonObject;
  try {
    raw = parseStored(bytes, 'An earlier version');
  } catch (error) {
    // Kept as it is: it was of no use before either.
    if (error instanceof Failure) return bytes;
    throw error;
  }
  const stored = own(raw, 'plans');
  const links: unknown[] = Array.isArray(stored) ? stored : [];
  const place = (link: unknown): string | undefined => planNames.get(linkedFile(link) ?? '');
  const plans = links.map((link) => {
    const file = place(link);
    return file === undefined || !isRecord(link) || file === linkedFile(link) ? link : withKeys(link, { file });
  });
  return plans.every((link, index) => link === links[index]) ? bytes : serialiseStored(withKeys(raw, { plans }));
}

/** The files of one delete go together, under one free name. */
async function moveTrash(
  source: ProjectFiles,
  destination: ProjectFiles,
  planNames: ReadonlyMap<string, string>,
): Promise<KeptMoves> {
  const folder = ['.sidekeep', 'trash'];
  const moves: KeptMoves = { copies: [], left: [] };
  const groups = new Map<string, { from: string[]; ending: string; bytes: Buffer }[]>();
  for (const { name, kind } of await listFolder(source, ...folder)) {
    const stem = trashName.exec(name)?.[1];
    const bytes = stem === undefined || kind !== 'file' ? null : await readableFileOf(source, [...folder, name]);
    if (stem === undefined || bytes === null) {
      moves.left.push({ what: name, reason: 'unknown-file' });
      continue;
    }
    const file = { from: [...folder, name], ending: name.slice(stem.length), bytes };
    groups.set(stem, [...(groups.get(stem) ?? []), file]);
  }
  const taken = new Set((await listFolder(destination, ...folder)).map(({ name }) => name));
  for (const [stem, group] of groups) {
    const files = [...group, ...(await planFilesOf(source, group, planNames))];
    for (const place of trashStems(stem)) {
      const targets = files.map(({ ending }) => `${place}${ending}`);
      const isThere = await Promise.all(
        files.map(async ({ bytes, ending }) => {
          if (!taken.has(`${place}${ending}`)) return null;
          return (await readFileOf(destination, [...folder, `${place}${ending}`]))?.equals(bytes) ?? false;
        }),
      );
      if (isThere.includes(false)) continue;
      for (const [index, { from, bytes }] of files.entries()) {
        const target = targets[index] ?? '';
        taken.add(target);
        moves.copies.push({ from, to: [...folder, target], hash: hashOf(bytes), backup: false });
      }
      break;
    }
  }
  return moves;
}

/**
 * The documents of deleted plans that a crash kept from being moved to the trash: they still lie among the plans, where
 * the destination may have another of that name.
 */
async function planFilesOf(
  source: ProjectFiles,
  group: readonly { ending: string; bytes: Buffer }[],
  planNames: ReadonlyMap<string, string>,
): Promise<{ from: string[]; ending: string; bytes: Buffer }[]> {
  const json = group.find(({ ending }) => ending === '.json');
  const found: { from: string[]; ending: string; bytes: Buffer }[] = [];
  for (const [index, file] of deletedPlans(json?.bytes ?? null)) {
    const ending = `.${index}.md`;
    if (!planNames.has(file) || group.some((one) => one.ending === ending)) continue;
    const bytes = await readableFileOf(source, ['plans', file]);
    if (bytes !== null) found.push({ from: ['plans', file], ending, bytes });
  }
  return found;
}

/** Index and file name of each plan that a file of the trash tells of. */
function deletedPlans(json: Buffer | null): [number, string][] {
  if (json === null) return [];
  try {
    const items = own(parseStored(json, 'The trash'), 'items');
    const list: unknown[] = Array.isArray(items) ? items : [];
    return list.flatMap((item, index): [number, string][] => {
      const file = isRecord(item) && own(item, 'kind') === 'plan' ? linkedFile(item) : null;
      return file === null ? [] : [[index, file]];
    });
  } catch (error) {
    // What cannot be understood is copied as it is.
    if (error instanceof Failure) return [];
    throw error;
  }
}

async function moveBackups(
  source: ProjectFiles,
  destination: ProjectFiles,
  planNames: ReadonlyMap<string, string>,
): Promise<KeptMoves> {
  const folder = ['.sidekeep', 'backups'];
  const moves: KeptMoves = { copies: [], left: [] };
  const place = await placesIn(destination, folder, '.json');
  for (const { name, kind } of await listFolder(source, ...folder)) {
    if (name === 'plans' && kind === 'folder') continue;
    const isBackup = kind === 'file' && name.endsWith('.json') && BackupId.safeParse(name.slice(0, -5)).success;
    const stored = isBackup ? await readableFileOf(source, [...folder, name]) : null;
    if (stored === null) {
      moves.left.push({ what: name, reason: 'unknown-file' });
      continue;
    }
    const bytes = rewrittenBackup(stored, planNames);
    const to = [...folder, await place(name.slice(0, -5), bytes)];
    moves.copies.push({ from: [...folder, name], to, hash: hashOf(bytes), backup: true });
  }
  return moves;
}

async function movePlanVersions(source: ProjectFiles, destination: ProjectFiles, plans: PlanMoves): Promise<KeptMoves> {
  const folder = ['.sidekeep', 'backups', 'plans'];
  const moves: KeptMoves = { copies: [], left: [] };
  for (const plan of await listFolder(source, ...folder)) {
    const name = plans.names.get(plan.name) ?? plan.name;
    const isOther = !plans.names.has(plan.name) && plans.isTaken(plan.name);
    if (plan.kind !== 'folder' || !isPlanFile(plan.name) || isOther) {
      // Versions of a plan that was deleted, under whose name the destination has another.
      moves.left.push({ what: plan.name, reason: 'unknown-file' });
      continue;
    }
    const place = await placesIn(destination, [...folder, name], '.md');
    for (const version of await listFolder(source, ...folder, plan.name)) {
      const from = [...folder, plan.name, version.name];
      const isVersion = version.kind === 'file' && BackupId.safeParse(version.name.replace(/\.md$/, '')).success;
      const bytes = isVersion && version.name.endsWith('.md') ? await readableFileOf(source, from) : null;
      if (bytes === null) {
        moves.left.push({ what: version.name, reason: 'unknown-file' });
        continue;
      }
      const to = [...folder, name, await place(version.name.slice(0, -3), bytes)];
      moves.copies.push({ from, to, hash: hashOf(bytes), backup: false });
    }
  }
  return moves;
}

/** Gives out names for earlier versions in a folder: the id itself, else with the next free number behind it. */
async function placesIn(
  files: ProjectFiles,
  folder: readonly string[],
  ending: string,
): Promise<(id: string, bytes: Buffer) => Promise<string>> {
  const taken = new Set((await listFolder(files, ...folder)).map(({ name }) => name));
  const given = new Set<string>();
  return async (id, bytes) => {
    for (const candidate of backupIds(id)) {
      const name = `${candidate}${ending}`;
      if (given.has(name)) continue;
      if (taken.has(name) && !(await readFileOf(files, [...folder, name]))?.equals(bytes)) continue;
      given.add(name);
      return name;
    }
    throw new Error('there is always another name');
  };
}

function* backupIds(id: string): Generator<string> {
  yield id;
  const stem = /^\d+-[a-z]+/.exec(id)?.[0] ?? id;
  for (let suffix = 1; ; suffix++) yield `${stem}-${suffix}`;
}

function* trashStems(stem: string): Generator<string> {
  yield stem;
  const at = stem.slice(0, stem.indexOf('-'));
  for (let suffix = 1; ; suffix++) {
    yield `${at}-${createHash('sha256').update(`${stem} ${suffix}`).digest('hex').slice(0, 12)}`;
  }
}

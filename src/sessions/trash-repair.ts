import { sessionKey } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { guard, syncFolder } from '../files/index.ts';
import { Deletion } from './deletion.ts';
import { liveOf, type TrashContext } from './trash-context.ts';
import { partPath, trashFolder } from './trash-entry.ts';
import { moveAside, removeTree, statusOrNull } from './trash-files.ts';
import { purgeName, TRASH } from './trash-names.ts';
import { type Finding, type MadeReport, makeReport, markOf } from './trash-report.ts';

/**
 * Does what a report showed for some of its findings, and nothing else. Everything is looked at anew first: a finding that
 * would not be made again exactly so is left with the reason.
 */
export async function repairFindings(
  context: TrashContext,
  made: MadeReport,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<{ done: number; left: { finding: string; reason: string }[] }> {
  const left: { finding: string; reason: string }[] = [];
  let done = 0;
  const { findings: now } = await makeReport(context, signal);
  for (const id of new Set(ids)) {
    signal?.throwIfAborted();
    const finding = made.findings.get(id);
    try {
      if (finding === undefined) throw leave('This report has no such finding.');
      // The same id is of the same files in the same state, and of the same judgement of them.
      if (!now.has(id)) throw leave('It has changed since the report. Make a new one.');
      await repair(context, finding);
      done++;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      left.push({ finding: id, reason: error.message });
    }
  }
  return { done, left };
}

async function repair(context: TrashContext, finding: Finding): Promise<void> {
  const { shown } = finding;
  if (shown.repair === null) throw leave('It is left alone.');
  const key = shown.session === null ? `${shown.store}/` : sessionKey(shown.session);
  await context.queue.run(key, () =>
    guard(
      () => (shown.repair === 'remove' ? removeFound(context, finding) : moveFound(context, finding)),
      'It could not be repaired',
      'What could not be changed is where it was.',
    ),
  );
}

/** Moves what is left of a session to the trash, as if it had been deleted. */
async function moveFound(context: TrashContext, { shown, files }: Finding): Promise<void> {
  if (shown.session === null) throw leave('Whose it is cannot be told.');
  const session = context.filesOf(shown.session);
  if ((await context.hold(session)) !== null) throw leave('Somebody has the session open. Close it there first.');
  const found = await session.existing();
  if (liveOf(found).length === 0) throw leave('It is not there any more.');
  const same = new Set(files.map(({ name, mark }) => `${name} ${mark}`));
  if (liveOf(found).some(({ name, status }) => !same.has(`${name} ${markOf(status)}`))) {
    throw leave('It has changed since the report. Make a new one.');
  }
  const deletion = await Deletion.begin(session, found, context.now());
  await deletion.finish();
}

/** Removes files, and entries of the trash as a whole: first out of sight, then from the disk. */
async function removeFound(context: TrashContext, { shown, store, files }: Finding): Promise<void> {
  const { fileSystem } = context;
  if (shown.session !== null && (await context.hold(context.filesOf(shown.session))) !== null) {
    throw leave('Somebody has the session open. Close it there first.');
  }
  const folder = await store.root.path();
  for (const { name, mark } of files) {
    const path = partPath(folder, name);
    const status = await statusOrNull(fileSystem, path);
    if (status === null) continue;
    if (markOf(status) !== mark) throw leave('It has changed since the report. Make a new one.');
    const inTrash = name.startsWith(`${TRASH}/`);
    if (!status.isDirectory()) await fileSystem.unlink(path);
    else if (!inTrash) throw leave('A folder is not removed for good. Move it away.');
    else {
      const trash = await trashFolder(store);
      const aside = partPath(trash, purgeName(name.slice(TRASH.length + 1)));
      await moveAside(fileSystem, path, aside);
      await syncFolder(fileSystem, trash);
      await removeTree(fileSystem, aside);
    }
    await syncFolder(fileSystem, inTrash ? await trashFolder(store) : folder);
  }
}

function leave(reason: string): Failure {
  return new Failure('conflict', reason);
}

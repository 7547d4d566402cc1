import { createHash, randomUUID } from 'node:crypto';
import type { SessionFinding, SessionRef, SessionReport } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { type FileStatus, isAlive, mapBounded, temporaryOwner } from '../files/index.ts';
import { deletedAmong } from './deleted-ids.ts';
import type { SessionStore } from './session-stores.ts';
import { type Survey, type SurveyedFile, surveyStore } from './store-survey.ts';
import { storedTitle } from './stored-title.ts';
import type { TrashContext } from './trash-context.ts';
import { partPath, trashFolder } from './trash-entry.ts';
import { sizeOf, statusOrNull } from './trash-files.ts';
import { parseEntryName, SUBAGENTS, TOMBSTONES } from './trash-names.ts';

/** Most sessions that a report names, the largest ones. */
const MOST_SESSIONS = 500;
const CONCURRENCY = 8;
/** Temp files and locks that are younger may be in use: 24 hours. */
const OLD_MS = 24 * 60 * 60 * 1000;

/** A finding, and what was there when it was made: the repair does nothing to anything else. */
export interface Finding {
  readonly shown: SessionFinding;
  readonly store: SessionStore;
  /** Names below the store, each with what tells whether it is still the same. */
  readonly files: readonly { readonly name: string; readonly mark: string }[];
}

/** A report with what its repair needs. */
export interface MadeReport {
  readonly report: SessionReport;
  readonly findings: ReadonlyMap<string, Finding>;
}

/** What tells one state of a file from another. */
export const markOf = ({ dev, ino, size, mtimeNs, ctimeNs }: FileStatus): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(':');

/**
 * Looks at all stores and changes nothing: how much space what takes up, and what is damaged, orphaned or left over. Of a
 * transcript at most its beginning and its end are read, where nothing else gives a title.
 *
 * @throws When the signal says so.
 */
export async function makeReport(context: TrashContext, signal?: AbortSignal): Promise<MadeReport> {
  const { stores, unread } = await context.stores.list();
  const totals = new Map<string, { bytes: number; files: number }>();
  const sessions: (Omit<SessionReport['sessions'][number], 'title'> & { store: SessionStore })[] = [];
  const findings: Finding[] = [];
  const missed = [...unread];
  for (const store of stores) {
    try {
      const survey = await surveyStore(context, store, signal);
      count(totals, survey);
      add(totals, 'subagents', await sizeOf(context.fileSystem, partPath(await store.root.path(), SUBAGENTS), signal));
      findings.push(
        ...(await findingsIn(context, store, survey)),
        ...(await trashFindings(context, store, totals, signal)),
      );
      for (const [id, files] of survey.groups) {
        if (!files.some(({ kind }) => kind === 'transcript')) continue;
        const parts = files.map(({ kind, bytes }) => ({ kind, bytes })).sort((left, right) => right.bytes - left.bytes);
        const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
        sessions.push({ session: { store: store.key, id }, bytes, parts, store });
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      missed.push({ store: store.key, reason: error.message });
    }
  }
  sessions.sort((left, right) => right.bytes - left.bytes);
  const named = await mapBounded(sessions.slice(0, MOST_SESSIONS), CONCURRENCY, async ({ session, bytes, parts }) => {
    signal?.throwIfAborted();
    const files = context.filesOf(session);
    const title = await storedTitle(context.fileSystem, (kind) => files.path(kind));
    return { session, title: title ?? session.id, bytes, parts };
  });
  const report: SessionReport = {
    id: randomUUID(),
    sessions: named,
    more: sessions.length - named.length,
    totals: [...totals]
      .filter(([, { files }]) => files > 0)
      .map(([kind, total]) => ({ kind, ...total }))
      .sort((left, right) => right.bytes - left.bytes),
    findings: findings.map(({ shown }) => shown),
    unread: missed,
  };
  return { report, findings: new Map(findings.map((finding) => [finding.shown.id, finding])) };
}

function count(
  totals: Map<string, { bytes: number; files: number }>,
  { groups, conflictCopies, others }: Survey,
): void {
  for (const file of [...[...groups.values()].flat(), ...conflictCopies, ...others]) add(totals, file.kind, file);
}

function add(
  totals: Map<string, { bytes: number; files: number }>,
  kind: string,
  size: { bytes: number; files: number },
): void {
  const total = totals.get(kind) ?? { bytes: 0, files: 0 };
  totals.set(kind, { bytes: total.bytes + size.bytes, files: total.files + size.files });
}

async function findingsIn(context: TrashContext, store: SessionStore, survey: Survey): Promise<Finding[]> {
  const { groups, conflictCopies, others } = survey;
  const deleted = await deletedAmong(context, store, new Set(groups.keys()));
  const trashed = new Set((await context.entryNames(store)).map((name) => parseEntryName(name)?.id ?? ''));
  const findings: Finding[] = [];
  for (const [id, files] of groups) {
    const session = { store: store.key, id };
    const make = (
      kind: SessionFinding['kind'],
      of: readonly SurveyedFile[],
      reason: string,
      repair: SessionFinding['repair'],
    ) => findings.push(finding(store, kind, of, reason, repair, session));
    const kept = files.filter(({ kind }) => !isShortLived(kind));
    const transcript = files.find(({ kind }) => kind === 'transcript');
    if (kept.length === 0) {
      if (files.every((file) => isOld(context, file))) {
        make('left-over', files, 'Locks and markers of a session that is not there. They are removed.', 'remove');
      }
    } else if (deleted.has(id)) {
      const reason =
        'A program wrote this after the session was deleted. It is moved to the trash, beside what was deleted.';
      make('left-over', kept, reason, 'move-to-trash');
    } else if (transcript === undefined) {
      const reason = trashed.has(id)
        ? 'Another program left this behind when it deleted the session. It is moved to the trash.'
        : 'It belongs to a session whose transcript is missing. It is moved to the trash.';
      make(trashed.has(id) ? 'trash-leftover' : 'orphan', kept, reason, 'move-to-trash');
    } else if (!transcript.status.isFile()) {
      make('unreadable', [transcript], 'It has the name of a transcript and is no file. It is left alone.', null);
    }
    for (const file of files.filter(({ kind }) => kind.endsWith('-damaged'))) {
      make('damaged', [file], 'Bytes of a damaged log that were set aside. They are kept with the session.', null);
    }
  }
  for (const file of conflictCopies) {
    findings.push(
      finding(
        store,
        'conflict-copy',
        [file],
        'A synchronising program put this copy here. It is left alone.',
        null,
        null,
      ),
    );
  }
  for (const file of others.filter((one) => temporaryOwner(one.name) !== null))
    findings.push(strayTemporary(context, store, file));
  return findings;
}

function strayTemporary(context: TrashContext, store: SessionStore, file: SurveyedFile): Finding {
  const isOrphan = isOld(context, file) && file.status.isFile() && !isAlive(temporaryOwner(file.name) ?? process.pid);
  const reason = isOrphan
    ? 'A write that never ended left it behind. It is removed.'
    : 'A program may still be writing it. It is left alone.';
  return finding(store, 'stray-temporary', [file], reason, isOrphan ? 'remove' : null, null);
}

const isShortLived = (kind: string): boolean =>
  /^(?:guardian\/)?(?:cleanup-pending|lock|lease-lock|lease-info)$/.test(kind);

const isOld = ({ now }: TrashContext, { status }: SurveyedFile): boolean =>
  now() - Number(status.mtimeNs / 1_000_000n) > OLD_MS;

/** What in the trash is no session: what another program left, and what cannot be understood. */
async function trashFindings(
  context: TrashContext,
  store: SessionStore,
  totals: Map<string, { bytes: number; files: number }>,
  signal?: AbortSignal,
): Promise<Finding[]> {
  const folder = await trashFolder(store);
  const findings: Finding[] = [];
  for (const name of await context.trashNames(store)) {
    const path = partPath(folder, name);
    const status = await statusOrNull(context.fileSystem, path);
    if (status === null || name === TOMBSTONES) continue;
    const size = await sizeOf(context.fileSystem, path, signal);
    add(totals, 'trash', size);
    const file: SurveyedFile = { name: `.trash/${name}`, kind: 'trash', status, ...size };
    const made = (reason: string, repair: SessionFinding['repair']): void =>
      void findings.push(finding(store, 'trash-leftover', [file], reason, repair, sessionOf(store, name)));
    if (name.startsWith('.')) {
      if (temporaryOwner(name) !== null)
        findings.push(strayTemporary(context, store, { ...file, name: `.trash/${name}` }));
      else made('It is in the trash and is not one of its sessions. It is left alone.', null);
    } else if (!status.isDirectory())
      made('It is in the trash and is not one of its sessions. It is removed.', 'remove');
    else {
      const entry = context.entryOf(store, name);
      const journal = await entry.readJournal();
      const contents = await entry.contents();
      if (journal.state !== 'missing') continue;
      if ((await entry.ownFolder())?.files) {
        // Files of the person are removed only where they are looked at and asked for: in the trash.
        if (!contents.some((one) => one.endsWith('.jsonl'))) {
          made('An entry of the trash with the folder of a session that is not in it. It is left alone.', null);
        }
      } else if (contents.length === 0) made('An entry of the trash that holds nothing. It is removed.', 'remove');
      else if (!contents.some((one) => one.endsWith('.jsonl'))) {
        made('Another program emptied this entry of the trash and left these files in it. They are removed.', 'remove');
      }
    }
  }
  return findings;
}

function sessionOf(store: SessionStore, name: string): SessionRef | null {
  const id = parseEntryName(name)?.id;
  return id === undefined || id === '' || /[\\:]/.test(id) ? null : { store: store.key, id };
}

function finding(
  store: SessionStore,
  kind: SessionFinding['kind'],
  files: readonly SurveyedFile[],
  reason: string,
  repair: SessionFinding['repair'],
  session: SessionRef | null,
): Finding {
  const sorted = [...files].sort((left, right) => (left.name < right.name ? -1 : 1));
  const marked = sorted.map(({ name, status }) => ({ name, mark: markOf(status) }));
  const id = createHash('sha256')
    .update(JSON.stringify([store.key, kind, repair, marked, sorted.map((file) => [file.bytes, file.files])]))
    .digest('hex')
    .slice(0, 32);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const name = sorted[0]?.name.replace(/^\.trash\//, '') ?? '';
  const more = files.length > 1 ? ` There are ${files.length} files and folders of it.` : '';
  return {
    store,
    files: marked,
    shown: { id, kind, store: store.key, name, session, bytes, reason: reason + more, repair },
  };
}

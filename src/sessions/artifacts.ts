import { builtInArtifacts } from './artifact-table.ts';

/**
 * What may be answered for each operation (docs/formats/session-format.md, sections 3, 11 and 12). A row of the table
 * has an answer for every one of them.
 */
export const artifactAnswers = {
  /** What a scan of a store makes of the name: a session, something that hides its session, or a part of one. */
  scan: ['session', 'hides-session', 'part'],
  /** A session's files never get other names; a new title is written into one of them. */
  rename: ['title', 'untouched'],
  /** `new`: written for the fork; `prefix`: copied as far as the fork goes; `copied`: taken along; `none`: not taken along. */
  fork: ['new', 'prefix', 'copied', 'none'],
  /** When it is moved: the logs first, so that nothing brings the session back; locks and the marker are removed instead. */
  trash: ['log', 'transcript', 'content', 'meta', 'lock', 'marker'],
  /** When it comes back: what makes the session visible is last. `never`: it is not in the trash. */
  restore: ['early', 'meta', 'log', 'transcript', 'never'],
  /** `with-entry`: removed with the entry of the trash. `gone`: the delete has removed it already. */
  purge: ['with-entry', 'gone'],
  /** `conversation`: may hold what was said or done; `names`: names, paths, numbers; `none`: nothing of the person's. */
  privacy: ['conversation', 'names', 'none'],
} as const;

/** One of the operations that every artifact has an answer for. */
export type ArtifactOperation = keyof typeof artifactAnswers;

type Answers = { readonly [Operation in ArtifactOperation]: (typeof artifactAnswers)[Operation][number] };

/** How a function of the seed treats its input (docs/formats/session-format.md, section 1). */
export interface SeedRule {
  /** `kept`: only "" gives ""; `judged`: a blank gives "", else the text as it is; `trimmed`: trimmed, then as it is. */
  readonly blanks: 'kept' | 'judged' | 'trimmed';
  /** Place in the list of sidecar files; null for what is not in it. */
  readonly listed: number | null;
}

/** One file or folder that belongs to a session. */
export interface Artifact extends Answers {
  /** Its short name. */
  readonly kind: string;
  readonly suffix: string;
  /** Whether the suffix is appended to the transcript's name, or takes the place of `.jsonl`. */
  readonly family: 'append' | 'stem';
  readonly form: 'file' | 'folder';
  /** Content of the person's, derived from it, short-lived, or of another line or an older version. */
  readonly nature: 'content' | 'derived' | 'short-lived' | 'foreign';
  /** Null for what the seed has no function for. */
  readonly seed: SeedRule | null;
}

/** Short names of the artifacts that this module knows by itself. */
export type ArtifactKind = (typeof builtInArtifacts)[number]['kind'];

const rows: Artifact[] = [...builtInArtifacts];

/** Every artifact, those that later modules registered included. */
export const artifacts = (): readonly Artifact[] => rows;

/**
 * Adds an artifact of a later module: from then on it is scanned, trashed, restored and purged with its session.
 *
 * @returns Takes it out again, for tests.
 * @throws Error for a row that lacks an answer, is there already, or that older readers would take for a session.
 */
export function registerArtifact(row: Artifact): () => void {
  const lacking = lackingAnswers(row);
  if (lacking.length > 0) throw new Error(`the artifact ${row.kind} has no answer for ${lacking.join(', ')}`);
  if (row.suffix.endsWith('.jsonl')) throw new Error(`the artifact ${row.kind} would be shown as a session`);
  const name = artifactName(row, 'x');
  if (rows.some((other) => other.kind === row.kind || artifactName(other, 'x') === name)) {
    throw new Error(`the artifact ${row.kind} is there already`);
  }
  rows.push(row);
  return () => void rows.splice(rows.indexOf(row), 1);
}

/** The operations that a row has no valid answer for. */
export function lackingAnswers(row: Partial<Answers>): ArtifactOperation[] {
  const operations = Object.keys(artifactAnswers) as ArtifactOperation[];
  return operations.filter((operation) => {
    const allowed: readonly string[] = artifactAnswers[operation];
    return !allowed.includes(row[operation] ?? '');
  });
}

/** Row of a built-in artifact. */
export function artifactOf(kind: ArtifactKind): Artifact {
  const row = rows.find((one) => one.kind === kind);
  if (row === undefined) throw new Error(`no artifact is called ${kind}`);
  return row;
}

/** File name of an artifact of the session with this id. */
export const artifactName = ({ family, suffix }: Pick<Artifact, 'family' | 'suffix'>, id: string): string =>
  family === 'append' ? `${id}.jsonl${suffix}` : `${id}${suffix}`;

/** What a name ends in that ends in `.jsonl` without being a transcript's: no later row ends so. */
export const sidecarEndings: readonly string[] = builtInArtifacts
  .filter(({ scan, suffix }) => scan !== 'session' && suffix.endsWith('.jsonl'))
  .map(({ suffix }) => suffix);

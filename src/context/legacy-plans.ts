import { isAbsolute } from 'node:path';
import { Failure } from '../contract/errors.ts';
import { createDurably, identify, isInside, isMissing, readWhole } from '../files/index.ts';
import { type JsonObject, withoutKeys } from '../files/json.ts';
import { isPlanFile } from './entries.ts';
import type { LegacyLink } from './legacy.ts';
import { safePlanName } from './plan-name.ts';
import { planTitle } from './plan-text.ts';
import type { ProjectFiles } from './project-files.ts';

/** What became of the legacy plan links. */
export interface MovedPlans {
  /** Links for the manifest, in their order. */
  links: JsonObject[];
  /** Links whose file cannot be read now or needs its person's consent: they stay in the client's file. */
  remaining: JsonObject[];
  /** Whether one of those may be read or copied at another time without its person doing anything. */
  retry: boolean;
  /** Links whose file is gone from every place. */
  dropped: JsonObject[];
}

/** `consent`: a file that is not ours to take, or a name that no file can have. `later`: not readable, or not copied. */
type Obstacle = 'consent' | 'later' | 'dropped';
type Outcome = { file: string; bytes: Buffer } | Obstacle;

/**
 * Finds the file of each legacy link, and copies in those that lie elsewhere; an original is never moved or changed. May
 * be repeated after a crash: a copy that was made before is found and used.
 */
export async function moveLegacyPlans(files: ProjectFiles, links: readonly LegacyLink[]): Promise<MovedPlans> {
  const moved: MovedPlans = { links: [], remaining: [], retry: false, dropped: [] };
  const mover = new PlanMover(files);
  for (const link of links) {
    const outcome = await mover.move(link.path.trim());
    if (outcome === 'dropped') moved.dropped.push(link.raw);
    else if (typeof outcome === 'string') {
      moved.remaining.push(link.raw);
      moved.retry ||= outcome === 'later';
    } else {
      const { file, bytes } = outcome;
      // A key of the link must not take the place of the file that was found for it.
      const { id, createdAt, ...rest } = withoutKeys(link.raw, ['path', 'file', 'title']);
      moved.links.push({ id, file, title: planTitle(bytes), createdAt, ...rest });
    }
  }
  return moved;
}

class PlanMover {
  readonly #files: ProjectFiles;
  /** Base names that a link was given, in lower case, with the path that it was recorded with. */
  readonly #given = new Map<string, string>();

  constructor(files: ProjectFiles) {
    this.#files = files;
  }

  async move(path: string): Promise<Outcome> {
    const name = path.split(/[/\\]/).at(-1) ?? '';
    if (name === '' || name.includes('\0')) return 'consent';
    try {
      const here = await this.#inPlans(name, path);
      if (here !== null) return here;
      const source = await this.#atRecordedPath(path);
      return typeof source === 'string' ? source : await this.#copy(source, name, path);
    } catch (error) {
      // One plan that cannot be moved (a link for a folder, a full disk) keeps nothing else from being moved.
      if (error instanceof Failure) return 'later';
      throw error;
    }
  }

  /** The file of that name in the owner's own folder; null when there is none or another link has it. */
  async #inPlans(name: string, path: string): Promise<Outcome | null> {
    if (/^\.+$/.test(name)) return null;
    const usable = isPlanFile(name);
    const givenTo = this.#given.get(name.toLowerCase());
    if (usable && givenTo !== undefined && givenTo !== path) return null;
    const read = await readWhole(this.#files.fileSystem, await this.#files.planPath(name));
    if (read.state === 'missing') return null;
    if (read.state === 'unknown') return 'later';
    if (!usable) return this.#copy(read.bytes, name, path);
    this.#given.set(name.toLowerCase(), path);
    return { file: name, bytes: read.bytes };
  }

  /** The bytes at the recorded path, if that is a regular file of a project's folder. */
  async #atRecordedPath(path: string): Promise<Buffer | Obstacle> {
    if (!isAbsolute(path)) return 'dropped';
    const { fileSystem, root } = this.#files;
    try {
      const status = await fileSystem.lstat(path);
      const real = await fileSystem.realpath(path);
      const projects = await root.locate('projects');
      // Anything else could be any file of this computer: that needs its person's consent.
      if (!status.isFile() || real === projects || !isInside(projects, real)) return 'consent';
      const read = await readWhole(fileSystem, real);
      if (read.state === 'present') return read.bytes;
      return read.state === 'missing' ? 'dropped' : 'later';
    } catch (error) {
      if (isMissing(error)) return 'dropped';
      // Not readable now (a folder without permission, a disk that is away): kept for a later try.
      return 'later';
    }
  }

  async #copy(bytes: Buffer, name: string, path: string): Promise<Outcome> {
    await this.#files.prepareFolder('plans');
    const stem = safePlanName(name).replace(/\.md$/, '');
    for (let suffix = 0; ; suffix++) {
      const file = suffix === 0 ? `${stem}.md` : `${stem}-${suffix}.md`;
      const target = await this.#files.planPath(file);
      if (this.#given.has(file.toLowerCase())) continue;
      const made = await createDurably(this.#files.fileSystem, target, bytes);
      if (made === 'taken' && !(await this.#holds(target, bytes))) continue;
      this.#given.set(file.toLowerCase(), path);
      return { file, bytes };
    }
  }

  async #holds(path: string, bytes: Buffer): Promise<boolean> {
    const found = await identify(this.#files.fileSystem, path);
    if (found.state !== 'present' || found.identity.size !== BigInt(bytes.length)) return false;
    const read = await readWhole(this.#files.fileSystem, path);
    if (read.state === 'unknown') throw new Failure('io', read.failure.message, { cause: read.failure });
    return read.state === 'present' && read.bytes.equals(bytes);
  }
}

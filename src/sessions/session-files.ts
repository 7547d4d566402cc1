import type { SessionRef } from '../contract/entities.ts';
import { childPath, type FileStatus, type FileSystem, ioFailure, mapBounded, systemCode } from '../files/index.ts';
import { type Artifact, type ArtifactKind, artifactName, artifactOf, artifacts } from './artifacts.ts';
import { refuseBadId } from './session-id.ts';
import type { SessionStore } from './session-stores.ts';

/** An artifact of a session that is on the disk. */
export interface FoundArtifact {
  /** Its short name; of the reviewer's session with `guardian/` in front. */
  readonly kind: string;
  readonly row: Artifact;
  /** Whether it belongs to the reviewer's session (`<id>.guardian`), which is a part of this one. */
  readonly guardian: boolean;
  /** File name in the store. */
  readonly name: string;
  readonly path: string;
  /** By `lstat`: it may be anything, also a link. */
  readonly status: FileStatus;
}

/** A name that an artifact of a session may have. */
export interface ArtifactPlace {
  readonly kind: string;
  readonly row: Artifact;
  readonly guardian: boolean;
  readonly name: string;
}

const CONCURRENCY = 16;

/** The files of one session. */
export class SessionFiles {
  readonly fileSystem: FileSystem;
  readonly store: SessionStore;
  readonly id: string;

  /** @throws Failure `invalid` for an id that could lead elsewhere; nothing was looked at then. */
  constructor(fileSystem: FileSystem, store: SessionStore, id: string) {
    refuseBadId(id);
    this.fileSystem = fileSystem;
    this.store = store;
    this.id = id;
  }

  get ref(): SessionRef {
    return { store: this.store.key, id: this.id };
  }

  /** File name of an artifact. */
  name(kind: ArtifactKind): string {
    return artifactName(artifactOf(kind), this.id);
  }

  /**
   * Path of an artifact, which need not exist; it may be a link, which readers and writers refuse.
   *
   * @throws Failure `io` with `detail.reason` `link` when a link leads to the store.
   */
  async path(kind: ArtifactKind): Promise<string> {
    return childPath(await this.store.root.path(), this.name(kind));
  }

  /** What of the session is on the disk, by `lstat` of each name that the table knows: no other session is looked at. */
  async existing(): Promise<FoundArtifact[]> {
    const folder = await this.store.root.path();
    const found = await mapBounded(artifactPlaces(this.id), CONCURRENCY, async (place) => {
      const path = childPath(folder, place.name);
      const status = await this.#status(path);
      return status === null ? null : { ...place, path, status };
    });
    return found.filter((one) => one !== null);
  }

  async #status(path: string): Promise<FileStatus | null> {
    try {
      return await this.fileSystem.lstat(path);
    } catch (error) {
      // A name that is longer than the disk takes is one that nothing has.
      if (['ENOENT', 'ENAMETOOLONG'].includes(systemCode(error) ?? '')) return null;
      throw ioFailure(error, 'The files of the session could not be read', 'They are unchanged.');
    }
  }
}

/** Every name that an artifact of a session may have: its own, and those of the reviewer's session. */
export function artifactPlaces(id: string): ArtifactPlace[] {
  const rows = artifacts();
  const own = rows.map((row) => ({ kind: row.kind, row, guardian: false, name: artifactName(row, id) }));
  const names = new Set(own.map(({ name }) => name));
  const guardian = rows
    .map((row) => ({ kind: `guardian/${row.kind}`, row, guardian: true, name: artifactName(row, `${id}.guardian`) }))
    .filter(({ name }) => !names.has(name));
  return [...own, ...guardian];
}

import { type FileSystem, OwnerFolder, type Root, type SeenFolders, type WriteAccess } from '../files/index.ts';

const device = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/**
 * Why an id cannot name a folder on this platform; null when it can. Windows takes device names for devices, `:` for a
 * stream of a file, and drops trailing dots, so two ids would share one folder.
 */
export function idProblem(id: string, platform: NodeJS.Platform): string | null {
  if (platform !== 'win32') return null;
  if (device.test(id)) return 'it is the name of a device on Windows';
  if (id.includes(':')) return 'it holds a colon';
  return id.endsWith('.') ? 'it ends in a dot' : null;
}

/** Where one owner's files are. */
export class ProjectFiles extends OwnerFolder {
  readonly id: string;

  constructor(fileSystem: FileSystem, root: Root, id: string, seen: SeenFolders, access: WriteAccess) {
    super(fileSystem, root, id, seen, access);
    this.id = id;
  }

  /** @throws Failure `invalid` when the folder is that of another owner, on a disk that folds case. */
  contextPath(): Promise<string> {
    return this.locateOwn('context.json');
  }

  planPath(file: string): Promise<string> {
    return this.locate('plans', file);
  }

  /** The settings file of the client, old home of notes, todos and plan links. */
  legacyPath(): Promise<string> {
    return this.root.locate('projects', `${this.id}.json`);
  }

  migrationLogPath(): Promise<string> {
    return this.locate('.sidekeep', 'migration.json');
  }

  mergeLogPath(): Promise<string> {
    return this.locate('.sidekeep', 'merge-log.json');
  }
}

import { type FileSystem, OwnerFolder, type Root, type SeenFolders, type WriteAccess } from '../files/index.ts';

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

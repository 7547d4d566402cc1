import { type ChokidarOptions, FSWatcher } from 'chokidar';

/**
 * chokidar that keeps some folders watched without ever listing them. It would otherwise list a folder at the start and look
 * at each entry, also at those that it ignores: of two hundred thousand files, seconds of work and 100 MB. The folder's own
 * watch names the entries that change (`raw`), and chokidar goes on to see to that watch when the folder is replaced.
 */
export class FolderWatcher extends FSWatcher {
  readonly #isUnread: (folder: string) => boolean;

  /** @param isUnread Gets absolute paths of folders that are about to be listed. */
  constructor(options: ChokidarOptions, isUnread: (folder: string) => boolean) {
    super(options);
    this.#isUnread = isUnread;
  }

  /** chokidar takes "no stream" for "nothing to be read now", as when it is closed meanwhile. */
  override createScanStream(
    ...[folder, options]: Parameters<FSWatcher['createScanStream']>
  ): ReturnType<FSWatcher['createScanStream']> {
    return this.#isUnread(folder) ? undefined : super.createScanStream(folder, options);
  }
}

import { sep } from 'node:path';
import type { StoreKey } from '../../contract/entities.ts';
import { type CatalogDisk, isMark, type Mark, sameMark } from './disk.ts';
import { TITLES } from './names.ts';
import { noTitles, parseTitleMap, type TitleMap } from './title.ts';

/** Largest title map that is read, in bytes. */
const MAXIMUM_TITLES = 16 * 1024 * 1024;

/** The title maps of the stores, read when they changed. */
export class TitleFiles {
  readonly #onTitles: (store: StoreKey, titles: TitleMap) => void;
  readonly #seen = new Map<StoreKey, Mark>();

  constructor(onTitles: (store: StoreKey, titles: TitleMap) => void) {
    this.#onTitles = onTitles;
  }

  /** @param mayBeThere Whether the name was seen, or was not asked for. */
  async read(disk: CatalogDisk, store: StoreKey, folder: string, mayBeThere: boolean): Promise<void> {
    const before = this.#seen.get(store) ?? null;
    if (!mayBeThere && before === null) return;
    const path = folder + sep + TITLES;
    const [seen = 'missing'] = mayBeThere ? await disk.look([path]) : [];
    if (seen === 'missing') {
      this.#seen.delete(store);
      this.#onTitles(store, noTitles);
      return;
    }
    if (!isMark(seen) || sameMark(seen, before) || seen.size > MAXIMUM_TITLES) return;
    const [ends] = await disk.ends([{ path, size: seen.size, head: seen.size, tail: 0 }]);
    const titles = ends === undefined || ends === 'missing' || ends instanceof Error ? null : parseTitleMap(ends.head);
    // What cannot be read, or is being written, changes no title.
    if (titles === null) return;
    this.#seen.set(store, seen);
    this.#onTitles(store, titles);
  }
}

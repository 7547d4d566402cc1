import type { FoundEntry } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import {
  type FileIdentity,
  identify,
  isFresh,
  modifiedAt,
  type ParsedOptions,
  readParsed,
  sameIdentity,
} from '../files/index.ts';
import { parseStored } from '../files/json.ts';
import { clampText } from '../files/text.ts';
import { type ContextDocument, readDocument } from './document.ts';
import type { PlanLink } from './entries.ts';
import { onOneLine } from './find-excerpt.ts';
import type { Pace } from './find-pace.ts';
import type { Query } from './find-query.ts';
import { type FoldedText, fold } from './find-text.ts';
import type { ProjectFiles } from './project-files.ts';

/** A note or todo as a search looks at it. */
export interface SearchedEntry {
  readonly head: Omit<FoundEntry, 'excerpt' | 'highlights'>;
  readonly title: FoldedText;
  readonly text: FoldedText;
  /** The last query that was not found here. */
  refutedBy: Query | null;
}

/** What of a context file can be found. */
export interface SearchedContext {
  readonly entries: readonly SearchedEntry[];
  readonly links: readonly PlanLink[];
  /** About what it takes in memory. */
  readonly bytes: number;
}

interface Held {
  path: string;
  identity: FileIdentity;
  /** Whether an equal identity proves equal bytes. */
  trusted: boolean;
  content: SearchedContext | Failure;
}

const nothing: SearchedContext = { entries: [], links: [], bytes: 0 };
/** How much of a note is its title, in UTF-16 code units. */
const TITLE_LENGTH = 120;
/** Longest wait, in ms, for a file that another program seems to be writing: a search is not to be held up by one owner. */
const TORN_WAIT_MS = 30;

/** Reads one owner's context file for searching: never migrates, tells nobody, keeps only what can be found. */
export class SearchedOwner {
  readonly files: ProjectFiles;
  readonly #sleep: (ms: number) => Promise<unknown>;
  #held: Held | null = null;

  constructor(files: ProjectFiles, sleep: (ms: number) => Promise<unknown>) {
    this.files = files;
    this.#sleep = sleep;
  }

  /**
   * What the file holds now; it is read only when it changed.
   *
   * @param relies Whether the folders above it were looked at a moment ago.
   * @throws Failure when it cannot be read, or `cancelled`.
   */
  async read(pace: Pace, relies: boolean): Promise<SearchedContext> {
    const { fileSystem, id } = this.files;
    const held = this.#held;
    if (relies && held?.trusted) {
      const now = await identify(fileSystem, held.path);
      if (now.state === 'present' && sameIdentity(held.identity, now.identity)) return contentOf(held);
    }
    const path = await this.files.contextPath();
    const found = await identify(fileSystem, path);
    if (found.state === 'present' && held?.trusted && sameIdentity(held.identity, found.identity)) {
      return contentOf(held);
    }
    const parse: Parser = (bytes, identity) =>
      readDocument(parseStored(bytes, 'The stored context'), modifiedAt(identity));
    const read = found.state === 'present' ? await readParsed(fileSystem, path, parse, this.#options(pace)) : found;
    if (read.state === 'missing') {
      this.#held = null;
      await this.files.checkSeen();
      return nothing;
    }
    if (read.state === 'unknown') {
      this.#held = read.identity && heldOf(path, read.identity, read.failure);
      throw read.failure;
    }
    this.files.markSeen();
    const content = await searchedContext(id, read.value, pace);
    this.#held = heldOf(path, read.identity, content);
    return content;
  }

  #options(pace: Pace): ParsedOptions {
    return {
      sleep: async (ms) => {
        await this.#sleep(Math.min(ms, TORN_WAIT_MS));
        pace.check();
      },
    };
  }
}

type Parser = (bytes: Buffer, identity: FileIdentity) => ContextDocument;

function heldOf(path: string, identity: FileIdentity, content: SearchedContext | Failure): Held {
  return { path, identity, trusted: !isFresh(identity, Date.now()), content };
}

function contentOf({ content }: Held): SearchedContext {
  if (content instanceof Failure) throw content;
  return content;
}

async function searchedContext(projectId: string, document: ContextDocument, pace: Pace): Promise<SearchedContext> {
  const entries: SearchedEntry[] = [];
  for (const { view } of document.notes.entries) {
    const title = titleOf(view.body);
    const head = { projectId, section: 'notes', id: view.id, title, createdAt: view.createdAt } as const;
    entries.push({ head, title: fold(title), text: fold(view.body), refutedBy: null });
    if (pace.isDue) await pace.pause();
  }
  for (const { view } of document.todos.entries) {
    const { id, createdAt, completed } = view;
    const head = { projectId, section: 'todos', id, title: titleOf(view.text), createdAt, completed } as const;
    const text = fold(view.text);
    entries.push({ head, title: text, text, refutedBy: null });
    if (pace.isDue) await pace.pause();
  }
  const links = document.plans.entries.map(({ view }) => view);
  const bytes = entries.reduce((sum, entry) => sum + entry.title.bytes + entry.text.bytes, 300 * links.length);
  return { entries, links, bytes };
}

/** The first line of a text that is not blank. */
function titleOf(text: string): string {
  const start = text.search(/\S/);
  const line = /^[^\n\r\u2028\u2029]*/.exec(text.slice(start))?.[0] ?? '';
  return clampText(onOneLine(line).trim(), TITLE_LENGTH);
}

import type { SessionRef } from '../../contract/entities.ts';
import { Failure } from '../../contract/errors.ts';
import { sessionLimits } from '../../contract/identifiers.ts';
import type { SessionMessage, SessionPage } from '../../contract/session-entities.ts';
import type { FileHandle } from '../../files/file-system.ts';
import { shownSize } from './message.ts';
import { readRow } from './row-reader.ts';
import type { RowPlace } from './rows.ts';
import type { View } from './views.ts';

/** What a page is asked for: the messages before an index, from one on, or the last ones. */
export interface PageRequest {
  readonly head?: string | undefined;
  readonly before?: number | undefined;
  readonly from?: number | undefined;
  readonly limit?: number | undefined;
}

const DEFAULT_LIMIT = 50;

/** The head of a view that a request means. @throws Failure `not-found` for one that is not there. */
export function headOf(view: View, head: string | undefined): string {
  if (head === undefined || head === view.head) return view.head;
  if (view.heads.some(({ id }) => id === head)) return head;
  throw new Failure('not-found', 'This session has no such line of development. Nothing was changed. Open it again.');
}

/** Reads a page; fewer messages than asked for where they would be too many bytes for one answer, at least one. */
export async function readPage(
  handle: FileHandle,
  view: View,
  session: SessionRef,
  request: PageRequest,
): Promise<SessionPage> {
  const head = headOf(view, request.head);
  const total = view.count(head);
  const generation = view.generation(head);
  const limit = Math.min(request.limit ?? DEFAULT_LIMIT, sessionLimits.messagePage);
  const forward = request.from !== undefined;
  const start = forward ? Math.min(request.from ?? 0, total) : 0;
  const end = Math.min(request.before ?? total, total, forward ? start + limit : total);
  const first = forward ? start : Math.max(0, end - limit);
  const places = await view.places(head, first, end);
  const messages = await readRows(handle, places, first, forward);
  const { complete, holes, torn } = view;
  return { session, head, messages, total, complete, generation, holes, torn };
}

/** Reads rows from one end until the page is full. */
async function readRows(
  handle: FileHandle,
  places: readonly RowPlace[],
  first: number,
  forward: boolean,
): Promise<SessionMessage[]> {
  const messages: SessionMessage[] = [];
  let bytes = 0;
  for (let step = 0; step < places.length; step++) {
    const at = forward ? step : places.length - 1 - step;
    const place = places[at];
    if (place === undefined) break;
    const message = await readRow(handle, place, first + at);
    bytes += shownSize(message);
    if (messages.length > 0 && bytes > sessionLimits.pageBytes) break;
    messages.push(message);
  }
  return forward ? messages : messages.reverse();
}

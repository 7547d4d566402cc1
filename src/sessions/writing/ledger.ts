import type { JsonObject } from '../../files/json.ts';
import type { StoredMeta } from './meta-writer.ts';

/** What the meta file and the event index say of a log. */
export interface Ledger {
  readonly id: string;
  readonly revision: number;
  readonly digest: string;
  readonly writerId: string;
  /** Number of messages. */
  readonly count: number;
  readonly turns: number;
  readonly preview: string | null;
  /** Bytes of the log. */
  readonly logSize: number;
  /** Time of the last record, ms since 1970. */
  readonly at: number;
}

/** Version of the listing fields: a zero is certain, too (docs/formats/session-format.md, section 11). */
const LISTING_VERSION = 2;

/**
 * A meta file with the fields of the ledger and of the listing brought up to the log. A revision is never lowered: of a
 * file that is further, only what is missing is added.
 *
 * @returns Null when it is up to date.
 */
export function withLedger(meta: StoredMeta, ledger: Ledger): JsonObject | null {
  const stored = meta ?? { id: ledger.id, created_at: timeText(ledger.at) };
  const revision = typeof stored.revision === 'number' ? stored.revision : 0;
  if (revision > ledger.revision) return null;
  const { preview } = ledger;
  const fields: JsonObject = {
    updated_at: laterOf(stored.updated_at, ledger.at),
    revision: ledger.revision,
    content_digest: ledger.digest,
    writer_id: ledger.writerId,
    schema_version: LISTING_VERSION,
    turns: ledger.turns,
    ...(preview === null ? {} : { preview }),
    listing_revision: ledger.revision,
    listing_content_digest: ledger.digest,
  };
  const isSame = meta !== null && Object.entries(fields).every(([key, value]) => stored[key] === value);
  return isSame ? null : { ...stored, ...fields };
}

/** The event index of a log (docs/formats/session-format.md, section 3). */
export const eventIndex = ({ revision, digest, writerId, count, logSize, at }: Ledger): Buffer =>
  Buffer.from(
    `${JSON.stringify({
      schema_version: 1,
      log_size: logSize,
      message_count: count,
      revision,
      content_digest: digest,
      writer_id: writerId,
      updated_at: timeText(at),
    })}\n`,
  );

/** A time as the files of a session have it. @param ms since 1970. */
export const timeText = (ms: number): string => new Date(ms).toISOString();

/** A stored time further ahead than this is a mistake that must not keep a session on top for ever, in ms. */
const AHEAD = 24 * 3600 * 1000;

/** A clock that was set back a little does not make a session older than it was. */
function laterOf(stored: unknown, at: number): string {
  const before = typeof stored === 'string' ? Date.parse(stored) : Number.NaN;
  return typeof stored === 'string' && before >= at && before <= at + AHEAD ? stored : timeText(at);
}

import { isRecord, own } from '../files/json.ts';

/** What the owner file of a session tells (docs/formats/session-format.md, section 13); null for what it does not. */
export interface OwnerRecord {
  readonly pid: number | null;
  readonly host: string | null;
  /** When the owner took it, in ms. */
  readonly acquiredAt: number | null;
  /** The newest time that it tells, which may be that of a heartbeat, in ms. */
  readonly lastSign: number | null;
  /** Whom it is being handed over to, and until when. */
  readonly handoff: { readonly host: string | null; readonly pid: number | null; readonly expiresAt: number } | null;
}

/** Times that builds of the reference and others write as signs of life. */
const signs = ['acquired_at', 'heartbeat_at', 'heartbeat', 'renewed_at', 'updated_at', 'last_seen_at'];

/**
 * The record in the bytes of an owner file: JSON, in newer builds behind the one byte that is locked.
 *
 * @returns Null for bytes that are no record: empty, torn, or something else.
 */
export function parseOwner(bytes: Buffer): OwnerRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8').replace(/^[\ufeff\0 ]+/, ''));
  } catch {
    // Not readable is an answer here: then only the system's lock tells.
    return null;
  }
  if (!isRecord(value)) return null;
  const writer = writerOf(own(value, 'writer_id'));
  const pid = pidOf(own(value, 'pid')) ?? writer.pid;
  const host = textOf(own(value, 'hostname')) ?? writer.host;
  if (pid === null && host === null) return null;
  const times = signs.map((key) => timeOf(own(value, key))).filter((time) => time !== null);
  const expiresAt = timeOf(own(value, 'handoff_expires_at'));
  const successor = textOf(own(value, 'handoff_to'));
  return {
    pid,
    host,
    acquiredAt: timeOf(own(value, 'acquired_at')),
    lastSign: times.length === 0 ? null : Math.max(...times),
    handoff: successor === null || expiresAt === null ? null : { ...writerOf(successor), expiresAt },
  };
}

/** The host and process in a writer's name, `<host>-<pid>-<16 hex>`. */
function writerOf(value: unknown): { host: string | null; pid: number | null } {
  const [, host, pid] = /^(?:sidekeep\.)?(.*)-(\d+)-[0-9a-f]{16}$/.exec(textOf(value) ?? '') ?? [];
  return { host: textOf(host), pid: pidOf(Number(pid)) };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const pidOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;

/** A time as text (RFC 3339) or as a number of seconds or milliseconds, in ms. */
function timeOf(value: unknown): number | null {
  if (typeof value === 'string') {
    const time = Date.parse(value);
    return Number.isNaN(time) ? null : time;
  }
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return null;
  return value < 100_000_000_000 ? value * 1000 : value;
}

import { createHash } from 'node:crypto';
import { endOfValue, skipBlanks } from '../transcript/json-values.ts';

const LF = Buffer.from('\n');
const KEY = Buffer.from('createdAt');
const QUOTE = 0x22;
const COMMA = 0x2c;

/**
 * The digest of a list of messages as it grows: SHA-256 over the stored bytes of each without its `createdAt`, each
 * followed by LF (docs/formats/session-format.md, section 2).
 */
export class RunningDigest {
  #hash = createHash('sha256');

  /** @param message Stored bytes of one message: one object of JSON. */
  add(message: Buffer): void {
    for (const piece of withoutCreatedAt(message)) this.#hash.update(piece);
    this.#hash.update(LF);
  }

  /** The digest of the messages so far, in hex; more can be added afterwards. */
  text(): string {
    return this.#hash.copy().digest('hex');
  }

  /** A digest of its own that goes on from here. */
  copy(): RunningDigest {
    const copy = new RunningDigest();
    copy.#hash = this.#hash.copy();
    return copy;
  }
}

/** A message's bytes without the member `createdAt`, in pieces: nothing else is changed, however it is written. */
export function withoutCreatedAt(message: Buffer): Buffer[] {
  const place = message.indexOf(KEY);
  // A key can also be spelt with escapes, which is then in there as well.
  if (!message.includes('\\u00')) {
    if (place < 0) return [message];
    // Mostly it is the last member, and stands nowhere else.
    if (isLastMember(message, place)) return [message.subarray(0, place - 2), message.subarray(-1)];
  }
  const members = [...membersOf(message)];
  const isKept = ({ key }: Member): boolean => key !== 'createdAt';
  const lastKept = members.findLastIndex(isKept);
  const pieces: Buffer[] = [];
  let from = 0;
  const cut = (start: number, end: number): void => {
    if (start > from) pieces.push(message.subarray(from, start));
    from = end;
  };
  for (const [index, member] of members.slice(0, lastKept).entries()) {
    // Each takes the comma behind it along.
    if (!isKept(member)) cut(member.start, members[index + 1]?.start ?? member.end);
  }
  const [first, last] = [members[0], members.at(-1)];
  // Those behind the last that stays take the comma before them along.
  if (first && last && lastKept < members.length - 1) cut(members[lastKept]?.end ?? first.start, last.end);
  cut(message.length, message.length);
  return pieces;
}

/** Whether `,"createdAt":` and a whole number end the message, with no other `createdAt` in it. */
function isLastMember(message: Buffer, place: number): boolean {
  const end = message.length - 1;
  if (end - place > KEY.length + 20 || message.indexOf(KEY, place + 1) >= 0) return false;
  return /^,"createdAt":\d+\}$/.test(message.toString('latin1', place - 2));
}

/** A member of an object: from its key's first byte to behind its value. */
interface Member {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** The members of an object, in order, also of a key that is there twice. For bytes that a parser has accepted. */
function* membersOf(bytes: Buffer): Generator<Member, void> {
  let start = skipBlanks(bytes, 0);
  for (;;) {
    // Behind the bracket that opens it, or a comma.
    start = skipBlanks(bytes, start + 1);
    const keyEnd = endOfValue(bytes, start);
    if (bytes[start] !== QUOTE || keyEnd < 0) return;
    const end = endOfValue(bytes, skipBlanks(bytes, skipBlanks(bytes, keyEnd) + 1));
    if (end < 0) return;
    yield { key: String(JSON.parse(bytes.toString('utf8', start, keyEnd))), start, end };
    start = skipBlanks(bytes, end);
    if (bytes[start] !== COMMA) return;
  }
}

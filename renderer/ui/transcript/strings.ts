import type { SessionMessage } from '../../../src/contract/index.ts';
import { counted } from '../strings.ts';

const number = new Intl.NumberFormat('en');

const roles: Record<SessionMessage['role'], string> = {
  system: 'System',
  user: 'You',
  assistant: 'Assistant',
  tool: 'Tool',
  unknown: 'Unknown role',
};

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** `12 kB`, `3.4 MB`. */
export function sizeOf(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return unit === 0
    ? counted(bytes, '# byte', '# bytes')
    : `${size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

/** The texts of a transcript, in both windows. */
export const transcriptTexts = {
  roles,
  told: 'Told by Sidekeep',
  toldHint: 'Recorded for the agent together with the message that follows. Nobody typed it.',
  host: 'Added for the agent',
  hostHint: 'A program recorded this for the agent. Nobody typed it.',
  noTime: 'No time recorded',
  actions: (role: string, index: number) => `Actions for message ${number.format(index + 1)}, ${role}`,
  message: (role: string, index: number) => `${role}, message ${number.format(index + 1)}`,
  reasoning: 'Reasoning',
  call: (name: string) => `Tool call: ${name}`,
  noName: 'without a name',
  arguments: 'Arguments',
  noArguments: 'No arguments.',
  result: 'Result',
  resultOf: (name: string | null) => (name === null ? 'Result of a tool' : `Result of ${name}`),
  noResult: 'No result is recorded.',
  emptyResult: 'The result is empty.',
  hole: (size: string) => `${size} of the file could not be read here`,
  holeHint: 'What stands there was left exactly as it is. The messages around it are whole.',
  raw: 'A record of a kind that is not known here',
  images: (count: number) => counted(count, '# image, not shown here', '# images, not shown here'),
  oddity: {
    'no-call': 'This result belongs to no tool call that is recorded.',
    'repeated-id': 'The id of this message was there before.',
  },
  empty: '(no text)',
  more: (left: number) => counted(left, 'Show more (# character left)', 'Show more (# characters left)'),
  moreFailed: (reason: string) => `The rest could not be read. ${reason}`,
  reading: 'Reading…',
  copyCode: 'Copy the code',
  code: 'Code',
  image: (alt: string, address: string) => `[Image${alt === '' ? '' : ` “${alt}”`}, not loaded: ${address}]`,
  done: 'Done',
  open: 'Not done',
  table: 'Table',
  loading: 'Reading the conversation…',
  loadingEarlier: 'Reading earlier messages…',
  loadingLater: 'Reading later messages…',
  emptyTitle: 'Nothing is recorded in this session yet.',
  emptyText: 'Messages appear here as they are recorded.',
  failed: 'The conversation could not be read.',
  failedPage: 'These messages could not be read.',
  start: 'Beginning of the conversation',
  torn: 'The last record is not complete: somebody is writing it, or was interrupted.',
  newMessages: (count: number) => counted(count, '# new message', '# new messages'),
  copyMessage: 'Copy text',
  again: 'Try again',
  selection: 'Selected text',
};

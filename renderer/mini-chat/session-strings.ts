import type { ErrorCode, SessionDetail } from '../../src/contract/index.ts';
import type { FolderOutcome } from '../state/chat-deletion.ts';
import { counted } from '../ui/strings.ts';
import { transcriptTexts } from '../ui/transcript/strings.ts';
import type { MessageState } from './message-outbox.ts';
import type { Target } from './targets.ts';

/** The texts of Message mode. */

/** Why a message goes into a copy. */
export type CopyReason = Extract<SessionDetail['readOnly'], 'foreign' | 'in-use'>;

const bar = {
  label: 'Session',
  choose: 'Session',
  chooseHint: 'Choose a session of this place',
  /** What is talked about in Chats is a chat; elsewhere it is a session of its project. */
  fresh: ({ label }: Pick<Target, 'label'>) => (label === null ? 'New chat' : 'New session'),
  freshHint: (fresh: string) => `${fresh}: your next message starts it`,
  menu: 'Session menu',
  filter: 'Find a session',
  list: 'Sessions of this place',
  noMatch: 'No session here has all these words in its title or beginning.',
  none: 'There are no sessions here yet.',
  loading: 'The sessions are being looked for…',
  failed: 'The sessions could not be listed.',
  more: (count: number) => counted(count, 'Show # more session', 'Show # more sessions'),
  turns: (count: number) => counted(count, '# message of yours', '# messages of yours'),
  copy: 'Continue as a copy',
  copyFrom: 'Continue as a copy from here',
  delete: 'Delete session',
  readOnly: 'Read only',
};

const empty = {
  text: 'What you write is recorded at once as your message. No agent answers here yet.',
  recent: 'Or go on with one of these',
};

const transcript = {
  label: 'Messages, oldest first',
  loading: 'Loading the latest messages…',
  newMessages: transcriptTexts.newMessages,
  toEnd: 'Go to the latest message',
  nothing: 'Nothing has been said in this session yet.',
  recorded: (time: string) => `Recorded ${time}.`,
  noAgent: 'No agent answers here yet.',
  noteShort: 'Make a note',
  noteWhole: 'Make a note of it',
  noted: 'The selected text is a note now.',
};

const message = {
  state: {
    sending: 'Recording…',
    waiting: 'Waits for the message before it',
    failed: 'Not recorded',
    recorded: 'Recorded',
  } satisfies Record<MessageState, string>,
  /** What stands in front of the main process's own sentence. */
  notRecorded: {
    invalid: 'Not recorded: Sidekeep did not accept it.',
    forbidden: 'Not recorded: this window may not do that.',
    'not-found': 'Not recorded: the session is no longer there.',
    conflict: 'Not recorded: the session is another one by now.',
    limit: 'Not recorded: there is no room for it.',
    'too-large': 'Not recorded: it is too large.',
    'in-use': 'Not recorded: another program has the session open.',
    cancelled: 'Not recorded: it was interrupted.',
    malformed: 'Not recorded: the session is damaged.',
    'newer-version': 'Not recorded: the session is of a newer program.',
    io: 'Not recorded: the disk could not be used.',
  } satisfies Record<ErrorCode, string>,
  elsewhere: (title: string) => `For another session: ${title}`,
};

const readOnly = {
  text: {
    foreign: 'Another program made this session. Your message goes into a copy of it.',
    'in-use': 'Another program has this session open. You see what it adds. Your message goes into a copy.',
  } satisfies Record<CopyReason, string>,
  placeholder: 'Write a message for the copy',
  blocked: 'Nothing can be added to this session. Start a new one.',
  copying: 'Making the copy…',
  copied: 'This is the copy now.',
  notCopied: (reason: string) => `The copy was not made. Your text is still here. ${reason}`,
};

const gone = {
  title: 'This session was deleted',
  text: 'Nothing is recorded in it any more. What you type below is kept: bring the session back, or leave it and start a new one.',
  textFinal: 'Nothing is recorded in it any more. What you type below is kept: leave it and start a new one.',
  restore: 'Bring it back',
  leave: 'Leave it',
  restored: 'The session is back.',
  notRestored: (reason: string) => `It did not come back. ${reason}`,
};

const deleting = {
  done: (time: string, folder: FolderOutcome) => {
    if (folder.kind === 'went') return `The chat and its folder were moved to the trash at ${time}.`;
    if (folder.kind === 'none') return `The session was deleted at ${time}.`;
    const said = `The chat was deleted at ${time}.`;
    return folder.reason === null ? `${said} Its folder stays.` : `${said} Its folder stays: ${folder.reason}`;
  },
  waits: 'The session is hidden. It goes to the trash once the other program lets go of it.',
  failed: (reason: string) => `The session was not deleted. ${reason}`,
  inUse: 'Another program has it open',
  inUseText: 'It can be hidden now and moved to the trash as soon as the other program lets go of it.',
  whenFree: 'Delete when it is free',
};

const failed = {
  title: 'The session could not be read',
  kept: 'What you type below is kept.',
};

const opening = {
  gone: 'The session that the sidebar asked for is no longer there.',
  failed: (reason: string) => `The session could not be shown. ${reason}`,
  noPlace: 'This session belongs to no place in the list. It is shown in Chats.',
  shown: (title: string) => `Session: ${title}`,
};

export const sessionTexts = { bar, empty, transcript, message, readOnly, gone, deleting, failed, opening };

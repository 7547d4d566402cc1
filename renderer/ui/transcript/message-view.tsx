import {
  Bot,
  Braces,
  CircleHelp,
  FileWarning,
  Info,
  type LucideIcon,
  Settings2,
  UserRound,
  Wrench,
} from 'lucide-react';
import { memo } from 'react';
import type { SessionMessage } from '../../../src/contract/index.ts';
import { MenuButton, type MenuEntry } from '../menu.tsx';
import { fullTime, shortTime } from '../time.ts';
import { hasVisibleText, UserText } from '../user-text.tsx';
import { Folded } from './folded.tsx';
import { hostOf, isSameItem, type TranscriptItem } from './items.ts';
import { MessageText, type TextSource } from './message-text.tsx';
import { sizeOf, transcriptTexts as texts } from './strings.ts';

export interface MessageViewProps {
  item: TranscriptItem;
  source: TextSource;
  now: number;
  /** What can be done with a message; none for no menu. The same function each time. */
  actions: ((message: SessionMessage) => MenuEntry[]) | null;
  /** Opens what is folded, since something was found in it. */
  isOpen: boolean;
}

const icons: Record<SessionMessage['role'], LucideIcon> = {
  system: Settings2,
  user: UserRound,
  assistant: Bot,
  tool: Wrench,
  unknown: CircleHelp,
};

/** One message of a transcript, with the tool calls that it made and their results. */
export const MessageView = memo(
  function MessageView({ item, source, now, actions, isOpen }: MessageViewProps) {
    const { message } = item;
    if (message.kind !== 'message') return <Unreadable message={message} source={source} isOpen={isOpen} />;
    const host = hostOf(message);
    const role = host === null ? texts.roles[message.role] : texts[host];
    const Icon = host === null ? icons[message.role] : Info;
    return (
      <article
        className={`message message-${host === null ? message.role : 'host'}`}
        data-index={message.index}
        aria-label={texts.message(role, message.index)}
      >
        <header className="message-head">
          <Icon className="message-icon" size={15} aria-hidden="true" />
          <span className="message-role">{role}</span>
          <Time at={message.createdAt} now={now} />
          <span className="spacer" />
          {actions ? <MenuButton label={texts.actions(role, message.index)} entries={actions(message)} /> : null}
        </header>
        <Parts item={item} source={source} isOpen={isOpen} />
        {message.images > 0 ? <p className="message-fact">{texts.images(message.images)}</p> : null}
        {message.oddity ? <p className="message-fact message-odd">{texts.oddity[message.oddity]}</p> : null}
      </article>
    );
  },
  (before, after) =>
    isSameItem(before.item, after.item) &&
    before.actions === after.actions &&
    before.isOpen === after.isOpen &&
    before.source.head === after.source.head &&
    before.now === after.now,
);

function Parts({ item, source, isOpen }: Pick<MessageViewProps, 'item' | 'source' | 'isOpen'>) {
  const { message, results } = item;
  const host = hostOf(message);
  // What was told is shown in the very words.
  const isMarkdown = host !== 'told';
  const content = (
    <MessageText source={source} message={message} part="content" text={message.content} isMarkdown={isMarkdown} />
  );
  if (message.role === 'tool') {
    return (
      <Folded summary={texts.resultOf(message.toolName)} isOpen={isOpen}>
        <Result source={source} message={message} isFolded={false} />
      </Folded>
    );
  }
  if (host !== null || message.role === 'system') {
    return (
      <Folded summary={<OneLine text={message.content} />} isOpen={isOpen}>
        {host === null ? null : <p className="message-fact">{host === 'told' ? texts.toldHint : texts.hostHint}</p>}
        {content}
      </Folded>
    );
  }
  return (
    <>
      {message.reasoning ? (
        <Folded summary={texts.reasoning} isOpen={isOpen}>
          <MessageText source={source} message={message} part="reasoning" text={message.reasoning} isMarkdown />
        </Folded>
      ) : null}
      {hasVisibleText(message.content) || message.cut ? (
        <div className="message-content">{content}</div>
      ) : message.toolCalls.length === 0 && message.images === 0 ? (
        <p className="message-fact">{texts.empty}</p>
      ) : null}
      {message.toolCalls.map((call, index) => (
        <Folded
          // biome-ignore lint/suspicious/noArrayIndexKey: two calls may have one id, and they never move
          key={index}
          summary={
            <CallSummary name={call.name} text={call.arguments} state={results.get(call.id)?.toolState ?? null} />
          }
          isOpen={isOpen}
        >
          <p className="message-part">{texts.arguments}</p>
          {call.arguments === '' ? (
            <p className="message-fact">{texts.noArguments}</p>
          ) : (
            <MessageText source={source} message={message} part={index} text={call.arguments} isMarkdown={false} />
          )}
          <p className="message-part">{texts.result}</p>
          <Result source={source} message={results.get(call.id) ?? null} isFolded />
        </Folded>
      ))}
    </>
  );
}

/**
 * A tool's result. Where it is folded into the message that asked for it, it tells by itself what is odd about it, and
 * notes still name the message that it stands in.
 */
function Result(props: { source: TextSource; message: SessionMessage | null; isFolded: boolean }) {
  const { source, message, isFolded } = props;
  if (message === null) return <p className="message-fact">{texts.noResult}</p>;
  if (message.content === '' && !message.cut) return <p className="message-fact">{texts.emptyResult}</p>;
  return (
    <div data-index={message.index}>
      <MessageText source={source} message={message} part="content" text={message.content} isMarkdown={false} />
      {isFolded && message.oddity ? <p className="message-fact message-odd">{texts.oddity[message.oddity]}</p> : null}
    </div>
  );
}

function CallSummary({ name, text, state }: { name: string; text: string; state: string | null }) {
  return (
    <>
      <span className="message-call">{texts.call(name === '' ? texts.noName : name)}</span>{' '}
      {text === '' ? null : <OneLine text={text} />}
      {state === null ? null : <span className="message-tool-state">{state}</span>}
    </>
  );
}

/** The beginning of a text on one line: the rest is cut by the page, and not laid out at all when it is long. */
const OneLine = ({ text }: { text: string }) => (
  <span className="folded-preview">
    <UserText text={text.slice(0, 200)} as="one-line" />
  </span>
);

function Time({ at, now }: { at: number | null; now: number }) {
  const short = at === null ? null : shortTime(at, now);
  if (at === null || short === null) return null;
  return (
    <time className="message-time" dateTime={new Date(at).toISOString()} title={fullTime(at)}>
      {short}
    </time>
  );
}

/** Bytes that could not be read, or a record of no known shape. */
function Unreadable({
  message,
  source,
  isOpen,
}: Pick<MessageViewProps, 'source' | 'isOpen'> & { message: SessionMessage }) {
  const isHole = message.kind === 'hole';
  const Icon = isHole ? FileWarning : Braces;
  const title = isHole ? texts.hole(sizeOf(message.bytes)) : texts.raw;
  return (
    <article className={`message message-${message.kind}`} data-index={message.index} aria-label={title}>
      <header className="message-head">
        <Icon className="message-icon" size={15} aria-hidden="true" />
        <span className="message-role">{title}</span>
      </header>
      {isHole ? <p className="message-fact">{texts.holeHint}</p> : null}
      {message.content === '' ? null : (
        <Folded summary={<OneLine text={message.content} />} isOpen={isOpen}>
          <MessageText source={source} message={message} part="content" text={message.content} isMarkdown={false} />
        </Folded>
      )}
    </article>
  );
}

import { lazy, Suspense, useEffect, useState } from 'react';
import type { CallInput, SessionMessage, SessionRef } from '../../../src/contract/index.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { Button } from '../button.tsx';
import { UserText } from '../user-text.tsx';
import { transcriptTexts as texts } from './strings.ts';

/** Loaded when the first message is shown: the window starts without it. */
const MarkdownBody = lazy(() => import('./markdown-body.tsx'));

/** Longest text that is shown as Markdown, in UTF-16 code units: a longer one would hold the window up. */
export const LONGEST_MARKDOWN = 20_000;
/** How much of a long text is read at a time, in UTF-16 code units. */
const STEP = 65_536;

/** Whose texts are shown: the rest of one that was cut is read from there. */
export interface TextSource {
  readonly session: SessionRef;
  /** Null: the head that the session itself chooses. */
  readonly head: string | null;
}

type Part = CallInput<'sessions.text'>['part'];

/** A text of a message; of one that was cut, the rest on request. Tools' texts are shown as they are. */
export function MessageText(props: {
  source: TextSource;
  message: SessionMessage;
  part: Part;
  text: string;
  isMarkdown: boolean;
}) {
  const { source, message, part, text, isMarkdown } = props;
  const rest = useRest(source, message, part, text.length);
  const whole = text + rest.text;
  return (
    <>
      {isMarkdown && whole.length <= LONGEST_MARKDOWN ? (
        <Suspense fallback={<UserText text={whole} as="block" />}>
          <MarkdownBody text={whole} />
        </Suspense>
      ) : (
        <div className={isMarkdown ? 'message-plain' : 'message-plain message-mono'}>
          <UserText text={whole} as="block" />
        </div>
      )}
      {rest.problem === null ? null : (
        <p className="message-problem" role="alert">
          {texts.moreFailed(rest.problem)}
        </p>
      )}
      {rest.left > 0 ? (
        <Button small isDisabled={rest.isReading} onPress={rest.read}>
          {rest.isReading ? texts.reading : texts.more(rest.left)}
        </Button>
      ) : null}
    </>
  );
}

/** What is known of the rest of a text, of which the first `shown` code units came with the message. */
function useRest(source: TextSource, message: SessionMessage, part: Part, shown: number) {
  const { client } = useSidekeep();
  const [text, setText] = useState('');
  const [total, setTotal] = useState(shown);
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { session, head } = source;
  const ask = (offset: number, length: number) =>
    client.sessions.text({ session, index: message.index, part, offset, length, ...(head === null ? {} : { head }) });
  // Which text of a message was cut is not said: the length of each tells.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each message
  useEffect(() => {
    let isWanted = message.cut;
    if (!isWanted) return;
    void ask(shown, 1).then((answer) => {
      if (!isWanted) return;
      if (answer.ok) setTotal(answer.value.total);
      else setProblem(answer.error.message);
    });
    return () => {
      isWanted = false;
    };
  }, [client, message, part]);
  const read = async () => {
    setReading(true);
    setProblem(null);
    const answer = await ask(shown + text.length, STEP);
    setReading(false);
    if (!answer.ok) return setProblem(answer.error.message);
    setText(text + answer.value.text);
    // A text that ends earlier than it said has no more.
    setTotal(answer.value.text === '' ? shown + text.length : answer.value.total);
  };
  return { text, left: Math.max(0, total - shown - text.length), isReading, problem, read: () => void read() };
}

import { ArrowUp, CopyPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton, TooltipTrigger } from 'react-aria-components';
import type { ComposerMode } from '../../src/contract/index.ts';
import { Button } from '../ui/button.tsx';
import { Tip } from '../ui/tooltip.tsx';
import type { Entry } from './commands.ts';
import { hintOf, isWritable, widerMode } from './entry-hint.ts';
import { useMiniChat } from './mini-chat-state.ts';
import { ModeMenu } from './mode-menu.tsx';
import { texts } from './strings.ts';

/** Below a text to record: its mode, what has to be known of it, and the button that records it. */
export function Foot({
  entry,
  readOnly,
  onChoose,
  onConvert,
  onSubmit,
}: {
  entry: Entry;
  readOnly: boolean;
  onChoose: (mode: ComposerMode) => void;
  onConvert: (mode: ComposerMode) => void;
  onSubmit: () => void;
}) {
  const { search, openSession } = useMiniChat();
  const isMessage = entry.mode === 'message';
  return (
    <div className="composer-foot">
      <ModeMenu mode={entry.mode} commanded={entry.commanded} onChoose={onChoose} onFind={() => search.begin(false)} />
      <Hint entry={entry} readOnly={readOnly} onConvert={onConvert} />
      {isMessage && openSession.access === 'copy' ? (
        <CopyButton isBlank={entry.text.trim() === ''} onSubmit={onSubmit} />
      ) : (
        <EnterButton
          label={texts.composer.send[entry.mode]}
          isIdle={readOnly || !isWritable(entry) || (isMessage && openSession.access !== 'open')}
          onPress={onSubmit}
        >
          <ArrowUp size={16} aria-hidden="true" />
        </EnterButton>
      )}
    </div>
  );
}

/** In the place of the button that records, where nothing can be added: opens a copy, with the text as its next message. */
function CopyButton({ isBlank, onSubmit }: { isBlank: boolean; onSubmit: () => void }) {
  const { copy, isCopying } = useMiniChat().openSession;
  return (
    <Button small kind="primary" isDisabled={isCopying} onPress={() => (isBlank ? void copy() : onSubmit())}>
      <CopyPlus size={14} aria-hidden="true" />
      {isCopying ? texts.session.readOnly.copying : texts.session.bar.copy}
    </Button>
  );
}

/** Does what Enter does. It stays pressable while idle, so that pressing it says why. */
export function EnterButton({
  label,
  isIdle,
  onPress,
  children,
}: {
  label: string;
  isIdle: boolean;
  onPress: () => void;
  children: ReactNode;
}) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      <AriaButton
        className={isIdle ? 'send send-idle' : 'send'}
        aria-label={label}
        aria-disabled={isIdle}
        onPress={onPress}
      >
        {children}
      </AriaButton>
      <Tip text={label} shortcut="Enter" />
    </TooltipTrigger>
  );
}

function Hint({
  entry,
  readOnly,
  onConvert,
}: {
  entry: Entry;
  readOnly: boolean;
  onConvert: (mode: ComposerMode) => void;
}) {
  const { text, isProblem } = readOnly ? { text: texts.composer.readOnly, isProblem: true } : hintOf(entry);
  const wider = isProblem && !readOnly ? widerMode(entry) : null;
  return (
    <div className="composer-hint">
      <span id="composer-hint" className={isProblem ? 'counter counter-full' : 'counter'}>
        {text}
      </span>
      {wider ? (
        <Button small kind="quiet" onPress={() => onConvert(wider)}>
          {wider === 'note' ? texts.composer.asNote : texts.composer.asPlan}
        </Button>
      ) : null}
    </div>
  );
}

import { ChevronDown, MessageSquare, MessageSquarePlus, Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import {
  Button as AriaButton,
  Autocomplete,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
  SearchField,
  TooltipTrigger,
} from 'react-aria-components';
import { type SessionRow, sessionKey, sessionLimits } from '../../src/contract/index.ts';
import { useAnswer } from '../state/answers.ts';
import { useSidekeep } from '../state/hooks.ts';
import { useSessionList, useShownSessions } from '../state/session-hooks.ts';
import { Button } from '../ui/button.tsx';
import { isComposing, shortcutLabel } from '../ui/keys.ts';
import { shortTime } from '../ui/time.ts';
import { Tip } from '../ui/tooltip.tsx';
import { UserText } from '../ui/user-text.tsx';
import { focusComposerAfterClosing } from './focus.ts';
import { useMiniChat } from './mini-chat-state.ts';
import { texts } from './strings.ts';

const { bar } = texts.session;
/** Rows that are shown at first; many more are found by their words. */
const FIRST = 50;

/** Names the open session and lets the person choose another one of the target. */
export function SessionPicker({ title }: { title: string }) {
  const { open, setOpen } = useMiniChat();
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = open === 'sessions';
  const setShown = (shown: boolean) => setOpen(shown ? 'sessions' : null);
  return (
    <>
      <TooltipTrigger delay={500} closeDelay={0}>
        <AriaButton
          ref={button}
          className="target-button session-button"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onPress={() => setShown(!isOpen)}
        >
          <MessageSquare size={14} aria-hidden="true" />
          <span className="visually-hidden">{bar.choose}: </span>
          <span className="target-name">
            <UserText as="one-line" text={title} />
          </span>
          <ChevronDown size={14} aria-hidden="true" />
        </AriaButton>
        <Tip text={bar.chooseHint} shortcut={shortcutLabel('mod+J')} />
      </TooltipTrigger>
      <Popover
        className="popover target-popover"
        placement="bottom start"
        aria-label={bar.chooseHint}
        triggerRef={button}
        isOpen={isOpen}
        onOpenChange={setShown}
      >
        <Sessions onDone={() => setShown(false)} />
      </Popover>
    </>
  );
}

function Sessions({ onDone }: { onDone: () => void }) {
  const { target, openSession } = useMiniChat();
  const [typed, setTyped] = useState('');
  const [limit, setLimit] = useState(FIRST);
  const { rows, total, state, isSettled } = useFound(typed.trim(), limit);
  const done = () => {
    onDone();
    focusComposerAfterClosing();
  };
  const choose = (row: SessionRow | undefined) => {
    if (row) openSession.show(row);
    done();
  };
  const onEnter = useEnter(isSettled, () => {
    if (typed.trim() !== '' && rows[0]) choose(rows[0]);
  });
  return (
    <div onKeyDownCapture={onEnter}>
      <Autocomplete inputValue={typed} onInputChange={setTyped}>
        <SearchField className="target-search" aria-label={bar.filter} maxLength={200} autoFocus>
          <Search size={14} aria-hidden="true" />
          <Input className="target-filter" dir="auto" placeholder={bar.filter} />
        </SearchField>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: nothing in it takes the keyboard, and it has to be scrolled by it */}
        <section className="target-list session-list" tabIndex={0} aria-label={bar.list}>
          <ListBox
            className="menu"
            aria-label={bar.list}
            items={rows.map((row) => ({ id: sessionKey(row.session), row }))}
            selectionMode="single"
            selectedKeys={openSession.session ? [sessionKey(openSession.session)] : []}
            onSelectionChange={(chosen) => {
              // The one that is open already is given up by choosing it again: nothing changes.
              choose(rows.find(({ session }) => chosen !== 'all' && chosen.has(sessionKey(session))));
            }}
            renderEmptyState={() => <p className="target-none soft small">{state}</p>}
          >
            {({ row }) => <SessionOption row={row} />}
          </ListBox>
        </section>
      </Autocomplete>
      <div className="session-picker-foot">
        {rows.length < total && limit < sessionLimits.listPage ? (
          <Button small kind="quiet" onPress={() => setLimit(sessionLimits.listPage)}>
            {bar.more(Math.min(total, sessionLimits.listPage) - rows.length)}
          </Button>
        ) : null}
        <Button
          small
          onPress={() => {
            openSession.begin();
            done();
          }}
        >
          <MessageSquarePlus size={14} aria-hidden="true" />
          {bar.fresh(target)}
        </Button>
      </div>
    </div>
  );
}

/** Enter waits until what is shown is what was typed for; without a chosen row it takes the first. */
function useEnter(isSettled: boolean, takeFirst: () => void): (event: KeyboardEvent) => void {
  const [isWaiting, setWaiting] = useState(false);
  useEffect(() => {
    if (!isWaiting || !isSettled) return;
    setWaiting(false);
    takeFirst();
  });
  return (event) => {
    if (event.key !== 'Enter' || isComposing(event)) return setWaiting(false);
    const { target } = event;
    if (!(target instanceof HTMLInputElement) || (isSettled && target.hasAttribute('aria-activedescendant'))) return;
    event.preventDefault();
    event.stopPropagation();
    setWaiting(true);
  };
}

/** The sessions of the target that have these words, and what to say when there are none. */
function useFound(
  query: string,
  limit: number,
): { rows: readonly SessionRow[]; total: number; state: string; isSettled: boolean } {
  const { client } = useSidekeep();
  const ownerId = useMiniChat().target.id;
  // Each push may change what is found.
  const { sequence, catalog } = useSessionList(ownerId);
  const { value, problem, isStale } = useAnswer(['session-picker', ownerId, query, limit, sequence], () =>
    client.sessions.list({ ownerId, limit, ...(query === '' ? {} : { query }) }),
  );
  const state =
    problem !== null || catalog.state === 'failed'
      ? `${bar.failed} ${problem?.message ?? catalog.reason ?? ''}`.trim()
      : value === null || value.catalog.state === 'loading'
        ? bar.loading
        : query === ''
          ? bar.none
          : bar.noMatch;
  // Until they were asked for, what is known of them anyway: at the start the chats of the run before.
  const known = useShownSessions(ownerId).list;
  const isFewer =
    query === '' &&
    problem === null &&
    (value === null || value.catalog.state === 'loading') &&
    known.rows.length > (value?.rows.length ?? 0);
  return {
    rows: isFewer ? known.rows.slice(0, limit) : (value?.rows ?? []),
    total: isFewer ? known.total : (value?.total ?? 0),
    state,
    isSettled: !isStale && (value !== null || problem !== null),
  };
}

function SessionOption({ row }: { row: SessionRow }) {
  const time = shortTime(row.lastActivity, Date.now());
  const facts = [
    time,
    row.turns === null || row.turns === 0 ? null : bar.turns(row.turns),
    row.ours ? null : bar.readOnly,
    row.reason,
  ];
  return (
    <ListBoxItem id={sessionKey(row.session)} textValue={row.title} className="menu-item target-option">
      <span className="target-texts">
        <UserText as="one-line" text={row.title} />
        <span className="target-path">
          <UserText as="one-line" text={facts.filter((fact) => fact !== null && fact !== '').join(' · ')} />
        </span>
      </span>
    </ListBoxItem>
  );
}

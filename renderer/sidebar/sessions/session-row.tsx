import {
  CornerDownRight,
  FileClock,
  FileX2,
  GitFork,
  HardDrive,
  type LucideIcon,
  MessageSquareLock,
  MessageSquareText,
  Pin,
  TriangleAlert,
} from 'lucide-react';
import { type KeyboardEvent, memo, useRef } from 'react';
import { Button, Tooltip, TooltipTrigger } from 'react-aria-components';
import {
  type ProjectList,
  type SessionRow as Row,
  type SessionHealth,
  sessionKey,
} from '../../../src/contract/index.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { MenuButton, useContextMenu } from '../../ui/menu.tsx';
import { plainTitle, UserText } from '../../ui/user-text.tsx';
import { focusAfter } from '../focus-after.ts';
import { openDialog } from '../open-dialog.ts';
import { openSession } from './open-session.ts';
import { sessionActions } from './session-actions.ts';
import { sessionMenu } from './session-menu.ts';
import { sessionTexts as texts } from './strings.ts';

export interface SessionRowProps {
  row: Row;
  isCopy: boolean;
  isCurrent: boolean;
  list: ProjectList;
  /** Start of the day in ms: what the time is told by. */
  today: number;
  onOpen?: (() => void) | undefined;
}

const healthIcons: Record<Exclude<SessionHealth, 'good'>, LucideIcon> = {
  damaged: TriangleAlert,
  'too-large': HardDrive,
  'too-new': FileClock,
  unreadable: FileX2,
};

/** A session in the rail: its title, when it was last active, and marks of what is special about it. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
  const { row, isCopy, isCurrent, list, today, onOpen } = props;
  const sidekeep = useSidekeep();
  const element = useRef<HTMLDivElement>(null);
  const title = plainTitle(row.title);
  const remove = () => {
    const next = neighbourOf(element.current);
    void focusAfter(sessionActions(sidekeep).remove(row), () => next);
  };
  const entries = sessionMenu(sidekeep, row, remove);
  const context = useContextMenu(texts.list.actions(title), entries, element);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'F2' && row.health !== 'too-new' && row.health !== 'unreadable') {
      openDialog.set({ kind: 'rename-session', row });
    } else if (event.key === 'Delete') remove();
    // Chromium has no menu key of its own on some systems; this is what stands for it everywhere.
    else if (event.key === 'F10' && event.shiftKey) context.props.onContextMenu(event);
    else return;
    event.preventDefault();
  };
  const Icon = isCopy
    ? CornerDownRight
    : row.parentId !== null
      ? GitFork
      : row.ours
        ? MessageSquareText
        : MessageSquareLock;
  const HealthIcon = row.health === 'good' ? null : healthIcons[row.health];
  const facts = texts.factsOf(row);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the button inside; nothing here is pressed itself
    <div
      ref={element}
      className={`rail-row session-row${isCurrent ? ' rail-row-current' : ''}${isCopy ? ' session-copy' : ''}`}
      data-session={sessionKey(row.session)}
      onKeyDown={onKeyDown}
      onContextMenu={context.props.onContextMenu}
    >
      <TooltipTrigger delay={700} closeDelay={0}>
        <Button
          className="rail-row-button"
          {...(isCurrent ? { 'aria-current': 'page' } : {})}
          excludeFromTabOrder={!isCurrent}
          onPress={() => {
            openSession(row, list);
            onOpen?.();
          }}
        >
          <Icon size={14} aria-hidden="true" />
          <span className="rail-row-label">
            <UserText text={row.title} as="one-line" />
          </span>
          <span className="visually-hidden">{facts.slice(1, -1).join('. ')}</span>
          {row.pinned ? <Pin className="session-mark" size={12} aria-hidden="true" /> : null}
          {HealthIcon ? (
            <HealthIcon className={`session-mark session-${row.health}`} size={13} aria-hidden="true" />
          ) : null}
          <span className="rail-row-badge">{texts.shortDay(row.lastActivity, today)}</span>
        </Button>
        <Tooltip className="tooltip session-tip" offset={6} placement="end">
          {[...facts, ...(row.preview === null || row.preview === row.title ? [] : [row.preview])].map((fact) => (
            <span key={fact} className="session-tip-line">
              <bdi>{fact}</bdi>
            </span>
          ))}
        </Tooltip>
      </TooltipTrigger>
      <span className="rail-row-actions">
        <MenuButton label={texts.list.actions(title)} entries={entries} inTabOrder={isCurrent} />
        {context.menu}
      </span>
    </div>
  );
});

/** The row that the keyboard goes to when this one goes: the one below, else the one above. */
function neighbourOf(element: HTMLElement | null): HTMLElement | null {
  const buttons = [...document.querySelectorAll<HTMLElement>('.rail-rows .rail-row-button')];
  const index = buttons.findIndex((button) => element?.contains(button));
  return buttons[index + 1] ?? buttons[index - 1] ?? null;
}

import {
  ArrowDownToLine,
  ArrowLeft,
  ArrowUpToLine,
  ChevronsUpDown,
  MessageCircleMore,
  MessageSquarePlus,
  PencilLine,
  Search,
} from 'lucide-react';
import { Button as AriaButton, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components';
import type { SessionDetail, SessionHead, SessionRow } from '../../../src/contract/index.ts';
import { useSidekeep } from '../../state/hooks.ts';
import type { SessionTranscript, TranscriptState } from '../../state/session-transcript.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { shortcutLabel } from '../../ui/keys.ts';
import { knowledgeTexts } from '../../ui/knowledge/strings.ts';
import { MenuButton } from '../../ui/menu.tsx';
import { dayAndTime } from '../../ui/time.ts';
import { sizeOf } from '../../ui/transcript/strings.ts';
import { plainTitle, UserText } from '../../ui/user-text.tsx';
import { focusAfter, sectionTab } from '../focus-after.ts';
import { navigation } from '../navigation.ts';
import { openDialog } from '../open-dialog.ts';
import { sessionActions } from '../sessions/session-actions.ts';
import { sessionMenu } from '../sessions/session-menu.ts';
import { sessionTexts as texts } from '../sessions/strings.ts';

export interface SessionHeaderProps {
  row: SessionRow;
  detail: SessionDetail | null;
  ownerTitle: string;
  transcript: SessionTranscript;
  state: TranscriptState;
  head: string | null;
  onHead: (head: string) => void;
  onFind: () => void;
  /** Shows what the session is told. */
  onTold: () => void;
}

/** The name of the session that is shown, what is known of it, and what can be done with it. */
export function SessionHeader(props: SessionHeaderProps) {
  const { row, detail, ownerTitle, transcript, state, head, onHead, onFind, onTold } = props;
  const sidekeep = useSidekeep();
  const isBroken = row.health === 'too-new' || row.health === 'unreadable';
  const remove = () => void focusAfter(sessionActions(sidekeep).remove(row), sectionTab);
  const back = () => {
    navigation.closeSession();
    void focusAfter(Promise.resolve(), sectionTab);
  };
  return (
    <header className="pane-head session-head">
      <div className="session-back">
        <IconButton label={texts.pane.back(ownerTitle)} onPress={back}>
          <ArrowLeft size={16} aria-hidden="true" />
        </IconButton>
      </div>
      <div className="pane-titles">
        <h1 className="pane-title session-title">
          <UserText text={row.title} as="one-line" />
        </h1>
        <p className="pane-path session-facts">
          <span>{ownerTitle}</span>
          {state.generation === null ? null : <span>{texts.pane.messages(state.total, state.complete)}</span>}
          <span>{sizeOf(row.bytes)}</span>
          <span>{texts.list.last(dayAndTime(row.lastActivity))}</span>
        </p>
      </div>
      <div className="session-tools">
        {detail && detail.heads.length > 1 ? (
          <HeadPicker heads={detail.heads} current={head ?? state.head ?? detail.head} onHead={onHead} />
        ) : null}
        {detail?.readOnly === null ? (
          <Button
            small
            aria-label={texts.pane.continueHere}
            onPress={() => void sessionActions(sidekeep).openInMiniChat(row)}
          >
            <MessageSquarePlus size={14} aria-hidden="true" />
            <span className="session-continue">{texts.pane.continueHere}</span>
          </Button>
        ) : null}
        {isBroken ? null : (
          <>
            <IconButton
              label={texts.menu.rename}
              shortcut="F2"
              onPress={() => openDialog.set({ kind: 'rename-session', row })}
            >
              <PencilLine size={16} aria-hidden="true" />
            </IconButton>
            <IconButton label={knowledgeTexts.open} onPress={onTold}>
              <MessageCircleMore size={16} aria-hidden="true" />
            </IconButton>
            <IconButton label={texts.pane.find} shortcut={shortcutLabel('mod+F')} onPress={onFind}>
              <Search size={16} aria-hidden="true" />
            </IconButton>
            <IconButton label={texts.pane.start} onPress={() => void transcript.show(0)}>
              <ArrowUpToLine size={16} aria-hidden="true" />
            </IconButton>
            <IconButton label={texts.pane.end} onPress={() => void transcript.showEnd()}>
              <ArrowDownToLine size={16} aria-hidden="true" />
            </IconButton>
          </>
        )}
        <MenuButton label={texts.list.actions(plainTitle(row.title))} entries={sessionMenu(sidekeep, row, remove)} />
      </div>
    </header>
  );
}

function HeadPicker(props: { heads: readonly SessionHead[]; current: string; onHead: (head: string) => void }) {
  const { heads, current, onHead } = props;
  const nameOf = ({ name, kind, retired }: SessionHead, index: number): string => {
    const words = texts.pane.headName(name, texts.pane.kinds[kind], index);
    return retired ? `${words} (${texts.pane.retired})` : words;
  };
  return (
    <Select
      className="session-heads"
      aria-label={texts.pane.head}
      value={current}
      onChange={(id) => onHead(String(id))}
    >
      <AriaButton className="button button-small">
        <SelectValue className="narrow-picker-value" />
        <ChevronsUpDown size={13} aria-hidden="true" />
      </AriaButton>
      <Popover className="popover">
        <ListBox className="menu" items={heads.map((item, index) => ({ id: item.id, label: nameOf(item, index) }))}>
          {(item) => (
            <ListBoxItem id={item.id} textValue={plainTitle(item.label)} className="menu-item">
              <UserText text={item.label} as="one-line" />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
}

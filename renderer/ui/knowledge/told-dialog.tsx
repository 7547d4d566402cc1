import './knowledge.css';
import { Brain, Copy, FileText, type LucideIcon, StickyNote, X } from 'lucide-react';
import { useRef } from 'react';
import {
  type KnowledgeBlock,
  knowledgeLimits,
  type Pin,
  type Pins,
  type SessionDetail,
  type SessionRow,
} from '../../../src/contract/index.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { pinEntry, useOwed, usePins } from '../../state/knowledge-hooks.ts';
import { Button, IconButton } from '../button.tsx';
import { useCopy } from '../copy.ts';
import { Dialog } from '../dialog.tsx';
import { Banner, Loading } from '../states.tsx';
import { strings } from '../strings.ts';
import { Folded } from '../transcript/folded.tsx';
import { plainTitle, UserText } from '../user-text.tsx';
import { PinPicker } from './pin-picker.tsx';
import { knowledgeTexts as texts } from './strings.ts';

const icons: Record<KnowledgeBlock['parts'][number]['kind'], LucideIcon> = {
  note: StickyNote,
  plan: FileText,
  memory: Brain,
};

export interface ToldDialogProps {
  row: SessionRow;
  /** Why nothing can be recorded in the session; null when it can. */
  readOnly: SessionDetail['readOnly'];
  onClose: () => void;
}

/** What a session is told with its next message, why, and what is pinned to it. */
export function ToldDialog({ row, readOnly, onClose }: ToldDialogProps) {
  return (
    <Dialog title={texts.open} isOpen onClose={onClose}>
      <Told row={row} readOnly={readOnly} />
      <div className="dialog-actions">
        <Button onPress={onClose}>{strings.common.close}</Button>
      </div>
    </Dialog>
  );
}

function Told({ row, readOnly }: Pick<ToldDialogProps, 'row' | 'readOnly'>) {
  const owed = useOwed(row);
  const pins = usePins(row);
  const problem = owed.problem ?? (pins.problem?.code === 'not-found' ? pins.problem : null);
  if (problem !== null) {
    return (
      <Banner
        kind="danger"
        actions={
          <Button small onPress={owed.again}>
            {strings.common.retry}
          </Button>
        }
      >
        {texts.failed(problem.message)}
      </Banner>
    );
  }
  if (owed.value === null) return <Loading label={texts.loading} rows={3} />;
  const { reason, block } = owed.value;
  const memories = block.parts.filter(({ kind }) => kind === 'memory');
  return (
    <div className="told">
      <p className={reason === null ? 'told-state soft' : 'told-state'}>
        {readOnly === 'foreign'
          ? texts.foreign
          : readOnly === 'in-use'
            ? texts.inUse
            : reason !== null
              ? texts.reasons[reason]
              : block.text === ''
                ? texts.nothing
                : texts.upToDate}
      </p>
      {block.leftOut.length === 0 ? null : (
        <Banner kind="warning">
          <p>{texts.leftOut}</p>
          <ul className="told-left-out">
            {block.leftOut.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Banner>
      )}
      <PinnedPart row={row} pins={pins.value} problem={pins.problem?.message ?? null} block={block} />
      {memories.length === 0 ? null : (
        <Folded summary={texts.memories(memories.length)} isOpen={false}>
          <ul className="told-list">
            {memories.map(({ id, title }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a memory of all places may have the id of one of this place
              <li key={`${index} ${id}`} className="told-row">
                <Brain size={15} aria-hidden="true" />
                <span className="told-title">
                  <UserText text={title} as="one-line" />
                </span>
              </li>
            ))}
          </ul>
        </Folded>
      )}
      {block.text === '' ? null : <Words text={block.text} />}
    </div>
  );
}

function PinnedPart(props: { row: SessionRow; pins: Pins | null; problem: string | null; block: KnowledgeBlock }) {
  const { row, pins, block } = props;
  const problem = props.problem ?? pins?.problem ?? null;
  if (problem !== null) return <Banner kind="danger">{texts.pinsProblem(problem)}</Banner>;
  if (pins === null) return <Loading rows={1} />;
  return (
    <>
      <section className="told-part" aria-labelledby="told-pinned">
        <h3 id="told-pinned">{texts.pinned}</h3>
        {pins.pins.length === 0 ? (
          <p className="soft small">{texts.nothingPinned}</p>
        ) : (
          <PinnedList row={row} pins={pins.pins} block={block} />
        )}
      </section>
      {row.ownerId === null ? (
        <p className="soft small">{texts.noOwner}</p>
      ) : (
        <Folded summary={texts.choose} isOpen={pins.pins.length === 0}>
          <PinPicker session={row.session} ownerId={row.ownerId} pins={pins.pins} />
        </Folded>
      )}
    </>
  );
}

function PinnedList({ row, pins, block }: { row: SessionRow; pins: readonly Pin[]; block: KnowledgeBlock }) {
  const sidekeep = useSidekeep();
  const list = useRef<HTMLUListElement>(null);
  const unpin = async (pin: Pin, index: number) => {
    const { kind, id } = pin;
    const after = await pinEntry(sidekeep, { session: row.session, kind, id, pinned: false }, texts.notChanged);
    if (after !== null) requestAnimationFrame(() => requestAnimationFrame(() => goOn(list.current, index)));
  };
  return (
    <ul className="told-list told-framed" ref={list}>
      {pins.map((pin, index) => {
        const Icon = icons[pin.kind];
        const part = block.parts.find(({ kind, id }) => kind === pin.kind && id === pin.id);
        const said = pin.stale ? texts.stale : part ? texts.told[part.told] : null;
        const title = pin.title === '' ? texts.kinds[pin.kind] : pin.title;
        return (
          <li key={`${pin.kind} ${pin.id}`} className={pin.stale ? 'told-row told-stale' : 'told-row'}>
            <Icon size={15} aria-hidden="true" />
            <span className="visually-hidden">{texts.kinds[pin.kind]}</span>
            <span className="told-title">
              <UserText text={title} as="one-line" />
              {said === null ? null : <span className="told-said">{said}</span>}
            </span>
            <IconButton
              label={texts.unpinOf(plainTitle(title).slice(0, 80))}
              hint={texts.unpin}
              onPress={() => void unpin(pin, index)}
            >
              <X size={15} aria-hidden="true" />
            </IconButton>
          </li>
        );
      })}
    </ul>
  );
}

/** The keyboard goes on with the row that took the place of the one that went; with none left, into the choice below. */
function goOn(list: HTMLElement | null, index: number): void {
  const dialog = document.querySelector<HTMLElement>('.dialog');
  if (dialog === null || (document.activeElement !== document.body && document.activeElement !== dialog)) return;
  const rows = [...(list?.isConnected ? list.querySelectorAll<HTMLElement>('button') : [])];
  (rows[Math.min(index, rows.length - 1)] ?? dialog.querySelector<HTMLElement>('summary'))?.focus();
}

/** The block as a text, exactly as it is recorded. */
function Words({ text }: { text: string }) {
  const copy = useCopy();
  return (
    <Folded summary={texts.words} isOpen={false}>
      <div className="told-words-head">
        <span className="soft small">{texts.size(text.length, knowledgeLimits.block)}</span>
        <Button small kind="quiet" onPress={() => copy(text)}>
          <Copy size={14} aria-hidden="true" />
          {texts.copied}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section className="told-words" tabIndex={0} aria-label={texts.words}>
        <UserText text={text} as="block" />
      </section>
    </Folded>
  );
}

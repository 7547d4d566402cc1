import { Check, FileText, StickyNote } from 'lucide-react';
import { useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { type Pin, PinKind, type SessionRef } from '../../../src/contract/index.ts';
import { useContext, useSidekeep } from '../../state/hooks.ts';
import { pinEntry } from '../../state/knowledge-hooks.ts';
import { Banner, Loading } from '../states.tsx';
import { TextField } from '../text-field.tsx';
import { plainTitle, UserText } from '../user-text.tsx';
import { knowledgeTexts as texts } from './strings.ts';

/** Most entries that are listed at a time. */
const MOST = 100;

interface Choice {
  /** Kind and id of the entry: `note <id>`. */
  readonly id: string;
  readonly kind: PinKind;
  readonly entryId: string;
  readonly title: string;
  /** What the filter looks at. */
  readonly text: string;
}

const keyOf = ({ kind, id }: Pick<Pin, 'kind' | 'id'>): string => `${kind} ${id}`;

/** The notes and plans of the session's owner, the pinned ones marked: choosing pins or unpins. */
export function PinPicker(props: { session: SessionRef; ownerId: string; pins: readonly Pin[] }) {
  const { session, ownerId, pins } = props;
  const sidekeep = useSidekeep();
  const { view, problem } = useContext(ownerId);
  const [filter, setFilter] = useState('');
  if (view === null) return problem === null ? <Loading rows={2} /> : <Banner kind="danger">{problem.message}</Banner>;
  const choices: Choice[] = [
    ...view.notes.map(({ id, body }) => ({
      id: keyOf({ kind: 'note', id }),
      kind: 'note' as const,
      entryId: id,
      title: plainTitle(body),
      text: body,
    })),
    ...view.plans
      .filter(({ missing }) => !missing)
      .map(({ id, title }) => ({
        id: keyOf({ kind: 'plan', id }),
        kind: 'plan' as const,
        entryId: id,
        title,
        text: title,
      })),
  ];
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = choices.filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
  const pinned = new Set(pins.filter(({ stale }) => !stale).map(keyOf));
  const toggle = (chosen: ReadonlySet<unknown>) => {
    const changed = found.find(({ id }) => chosen.has(id) !== pinned.has(id));
    if (changed === undefined) return;
    const { kind, entryId: id } = changed;
    void pinEntry(sidekeep, { session, kind, id, pinned: !pinned.has(changed.id) }, texts.notChanged);
  };
  if (choices.length === 0) return <p className="soft small">{texts.none}</p>;
  return (
    <>
      <p className="soft small">{texts.chooseHint}</p>
      {choices.length > 8 ? (
        <TextField label={texts.filter} hideLabel placeholder={texts.filter} value={filter} onChange={setFilter} />
      ) : null}
      {found.length === 0 ? (
        <p className="soft small">{texts.noMatch(filter)}</p>
      ) : (
        <ListBox
          className="menu told-choices"
          aria-label={texts.list}
          items={found.slice(0, MOST)}
          selectionMode="multiple"
          // Escape closes the dialog; by itself it would take out everything that is pinned.
          escapeKeyBehavior="none"
          selectedKeys={found.filter(({ id }) => pinned.has(id)).map(({ id }) => id)}
          onSelectionChange={(keys) => {
            // One at a time: all at once is more than fits into what is told.
            if (keys !== 'all') toggle(keys);
          }}
        >
          {(choice) => (
            <ListBoxItem id={choice.id} textValue={choice.title} className="menu-item">
              {({ isSelected }) => (
                <>
                  <span className="told-box" aria-hidden="true">
                    {isSelected ? <Check size={12} strokeWidth={3} /> : null}
                  </span>
                  {choice.kind === PinKind.enum.note ? (
                    <StickyNote size={15} aria-hidden="true" />
                  ) : (
                    <FileText size={15} aria-hidden="true" />
                  )}
                  <span className="told-title">
                    <UserText text={choice.title} as="one-line" />
                  </span>
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      )}
      {found.length > MOST ? <p className="soft small">{texts.more(MOST, found.length)}</p> : null}
    </>
  );
}

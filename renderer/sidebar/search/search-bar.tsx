import { Search, X } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Checkbox } from 'react-aria-components';
import type { FoundEntry, ProjectList, SessionRow } from '../../../src/contract/index.ts';
import { Finding, keyOfFound, keyOfFoundSession } from '../../state/finding.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { useStore, useStorePart } from '../../state/store.ts';
import { IconButton } from '../../ui/button.tsx';
import { isComposing, shortcutLabel } from '../../ui/keys.ts';
import { plainTitle } from '../../ui/user-text.tsx';
import { sectionTab } from '../focus-after.ts';
import { navigation } from '../navigation.ts';
import { openSession } from '../sessions/open-session.ts';
import { texts } from '../strings.ts';
import { openFound } from './open-found.ts';
import { SearchResults } from './search-results.tsx';

/** Searches the owner that is shown, or everything. What is found stands below the field while the keyboard is in it. */
export function SearchBar({ list, ownerId, title }: { list: ProjectList; ownerId: string; title: string }) {
  const sidekeep = useSidekeep();
  const finding = useMemo(() => new Finding(sidekeep.client, true), [sidekeep]);
  const state = useStore(finding);
  const [text, setText] = useState('');
  const [everywhere, setEverywhere] = useState(false);
  const [isOpen, setOpen] = useState(false);
  /** Where the keyboard was before it came here. */
  const cameFrom = useRef<HTMLElement | null>(null);
  const listId = useId();
  const scope = everywhere ? null : ownerId;
  useEffect(() => finding.search(scope, text), [finding, scope, text]);
  useEffect(() => (isOpen ? finding.watch() : undefined), [finding, isOpen]);
  const isShown = isOpen && state.search !== null;
  const optionId = (key: string): string => {
    const keys = [
      ...(state.answer?.found.map(keyOfFound) ?? []),
      ...(state.answer?.sessions?.rows.map(keyOfFoundSession) ?? []),
    ];
    return `${listId}-${keys.indexOf(key)}`;
  };

  const open = (found: FoundEntry) => {
    setOpen(false);
    openFound(sidekeep, found, list.chatsId);
  };
  const openRow = (row: SessionRow) => {
    setOpen(false);
    openSession(row, list);
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  };
  const leave = () => {
    setOpen(false);
    goBack(cameFrom.current);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event)) return;
    if (!runKey(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const runKey = (key: string): boolean => {
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (isShown) finding.step(key === 'ArrowDown' ? 1 : -1);
      setOpen(true);
    } else if (key === 'Enter') finding.act({ entry: open, session: openRow });
    else if (key === 'Escape' && text !== '') setText('');
    else if (key === 'Escape') leave();
    else return false;
    return true;
  };
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    if (event.currentTarget.contains(event.relatedTarget)) return;
    cameFrom.current = event.relatedTarget instanceof HTMLElement ? event.relatedTarget : null;
    setOpen(true);
  };
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
  };
  const name = plainTitle(title);
  /** In a session, Ctrl+F is about that session. */
  const isInSession = useStorePart(navigation, ({ session }) => session !== null);
  const key = isInSession ? '/' : shortcutLabel('mod+F');
  return (
    <search className="search" onFocus={onFocus} onBlur={onBlur}>
      <div className="search-bar">
        <div className="search-field">
          <Search size={15} aria-hidden="true" />
          <input
            id="search"
            className="input"
            type="text"
            dir="auto"
            role="combobox"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            aria-label={texts.search.label}
            aria-autocomplete="list"
            aria-expanded={isShown}
            aria-controls={isShown ? listId : undefined}
            aria-activedescendant={isShown && state.active !== null ? optionId(state.active) : undefined}
            placeholder={`${everywhere ? texts.search.placeholderAll : texts.search.placeholder(name)} (${key})`}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setOpen(true);
            }}
            onKeyDown={onKeyDown}
          />
          {text === '' ? null : (
            <IconButton
              label={texts.search.clear}
              onPress={() => {
                setText('');
                document.getElementById('search')?.focus();
              }}
            >
              <X size={14} aria-hidden="true" />
            </IconButton>
          )}
        </div>
        <Checkbox className="search-scope" isSelected={everywhere} onChange={setEverywhere}>
          <span className="search-scope-box" aria-hidden="true" />
          {texts.search.everywhere}
        </Checkbox>
      </div>
      {isShown ? (
        <SearchResults
          id={listId}
          optionId={optionId}
          state={state}
          list={list}
          onChoose={open}
          onChooseSession={openRow}
          onPoint={(key) => finding.activate(key)}
          onAgain={() => finding.again()}
        />
      ) : null}
    </search>
  );
}

/** The keyboard goes back to where it was; where that is gone, to the sections. An editor keeps its own in a shadow root. */
function goBack(place: HTMLElement | null): void {
  const inside = place?.shadowRoot?.querySelector<HTMLElement>('[contenteditable="true"]');
  const before = document.activeElement;
  for (const target of [inside, place, sectionTab()]) {
    if (target instanceof HTMLElement && target.isConnected) target.focus();
    if (document.activeElement !== before) return;
  }
}

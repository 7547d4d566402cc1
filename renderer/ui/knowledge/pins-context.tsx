import { createContext, type ReactNode, use, useMemo } from 'react';
import { type PinKind, type SessionRow, sessionKey } from '../../../src/contract/index.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { pinEntry, usePins } from '../../state/knowledge-hooks.ts';
import { announce } from '../announcer.tsx';
import { plainTitle } from '../user-text.tsx';
import { knowledgeTexts as texts } from './strings.ts';

/** What can be pinned and unpinned for one session, by the rows of notes and plans. */
export interface SessionPins {
  /** Name of the session. */
  readonly title: string;
  isPinned(kind: PinKind, id: string): boolean;
  toggle(kind: PinKind, id: string): void;
}

const PinsContext = createContext<SessionPins | null>(null);

/** The session that rows pin for; null when there is none. */
export const useSessionPins = (): SessionPins | null => use(PinsContext);

/** Lets the notes and plans below be pinned for a session; without one, they cannot. */
export function PinsFor({ row, children }: { row: SessionRow | null; children: ReactNode }) {
  return row === null ? children : <PinsOfSession row={row}>{children}</PinsOfSession>;
}

function PinsOfSession({ row, children }: { row: SessionRow; children: ReactNode }) {
  const sidekeep = useSidekeep();
  const pins = usePins(row).value;
  const { session, title } = row;
  const key = sessionKey(session);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the session, which is a new object with each look
  const shared = useMemo<SessionPins | null>(() => {
    // What cannot be read is not changed from here; the panel says why.
    if (pins === null || pins.problem !== null) return null;
    const name = plainTitle(title).slice(0, 60);
    const isPinned = (kind: PinKind, id: string): boolean =>
      pins.pins.some((pin) => pin.kind === kind && pin.id === id);
    return {
      title: name,
      isPinned,
      toggle: (kind, id) => {
        const pinned = !isPinned(kind, id);
        void pinEntry(sidekeep, { session, kind, id, pinned }, texts.notChanged).then((after) => {
          if (after !== null) announce(pinned ? texts.pinnedNow(name) : texts.unpinnedNow(name));
        });
      },
    };
  }, [sidekeep, key, title, pins]);
  return <PinsContext value={shared}>{children}</PinsContext>;
}

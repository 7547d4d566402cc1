import type { SessionRow } from '../../../src/contract/index.ts';
import { Store } from '../../state/store.ts';

/** The session that was opened last in this window: notes and plans of its owner can be pinned for it. */
export const lastSession = new Store<SessionRow | null>(null);

import { flushSync } from 'react-dom';
import { Section, SessionRef } from '../../src/contract/index.ts';
import { Store } from '../state/store.ts';

/** The sections of the main area: those of a context, and the memory, which is not part of it. */
export type SidebarSection = Section | 'memory';

/** An entry to be shown. */
export interface Marked {
  readonly id: string;
  /** Grows with each wish, so that the same entry can be asked for again. */
  readonly turn: number;
  /** Whether the keyboard goes there as well. */
  readonly focus: boolean;
}

/** Where the person is in the sidebar. */
export interface Place {
  /** null stands for Chats, whose id is known only once the list of projects is there. */
  readonly projectId: string | null;
  readonly section: SidebarSection;
  /** The plan that is open, by owner. */
  readonly openPlans: Readonly<Record<string, string | null>>;
  /** An entry to be shown and marked once, such as one that the Mini Chat handed over. */
  readonly marked: Marked | null;
  /** The session that is shown in the place of the sections; null for the sections. */
  readonly session: SessionRef | null;
  /** How much of an owner's sessions the rail shows, where the person chose that; see {@link ALL_OWNERS}. */
  readonly unfolded: Readonly<Record<string, Unfolded>>;
}

/** How much of a list of sessions is shown. */
export type Unfolded = 'none' | 'some' | 'all';

/** Stands for the sessions of all owners where the id of one would be. */
export const ALL_OWNERS = '';

/** Stands for the form of a new plan where the id of an open plan would be. */
export const NEW_PLAN = '';

const STORAGE_KEY = 'sidekeep.sidebar.place';

export const sections: readonly SidebarSection[] = [...Section.options, 'memory'];

/** The one place of this window; remembered over a reload. */
class Navigation extends Store<Place> {
  #turn = 0;

  goToProject(projectId: string | null): void {
    this.#set({ projectId, marked: null, session: null });
  }

  goToSection(section: SidebarSection): void {
    this.#set({ section, session: null });
  }

  /** Shows a session. @param projectId its owner, null for Chats; left out, the owner that is shown stays */
  openSession(session: SessionRef, projectId?: string | null): void {
    this.#set({ session, marked: null, ...(projectId === undefined ? {} : { projectId }) });
  }

  /** Goes from a session back to the sections. */
  closeSession(): void {
    this.#set({ session: null });
  }

  unfold(ownerId: string, unfolded: Unfolded): void {
    this.#set({ unfolded: { ...this.get().unfolded, [ownerId]: unfolded } });
  }

  /** The project that is shown has another id now. */
  follow(from: string, to: string): void {
    const { [from]: open = null, ...openPlans } = this.get().openPlans;
    this.#set({ projectId: to, openPlans: { ...openPlans, [to]: open } });
  }

  openPlan(ownerId: string, planId: string | null): void {
    this.#set({ openPlans: { ...this.get().openPlans, [ownerId]: planId } });
  }

  mark(id: string, focus = false): void {
    this.#set({ marked: { id, turn: ++this.#turn, focus } });
  }

  #set(change: Partial<Place>): void {
    this.set({ ...this.get(), ...change });
    const { marked: _marked, ...place } = this.get();
    localStorage.setItem(STORAGE_KEY, JSON.stringify(place));
  }
}

export const navigation = new Navigation(remembered());

/** Moves the keyboard to the field for something new in the section that is shown. */
export function focusComposer(): void {
  // Where the field is not shown, a button shows it. Drawn at once, so that the next key is in the field.
  if (document.getElementById('composer') === null) flushSync(() => document.getElementById('new-entry')?.click());
  const composer = document.querySelector<HTMLInputElement | HTMLTextAreaElement>('#composer');
  if (composer === null || composer === document.activeElement) return;
  composer.focus();
  // A draft is gone on with at its end.
  composer.setSelectionRange(composer.value.length, composer.value.length);
}

/** Moves the keyboard to the search, whose text is typed over then. */
export function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#search');
  field?.focus();
  field?.select();
}

/** Moves the keyboard to the filter of the projects, or opens what stands for it where the window is narrow. */
export function focusProjects(): void {
  const filter = document.querySelector<HTMLInputElement>('#rail-filter');
  if (filter?.checkVisibility()) {
    filter.focus();
    filter.select();
  } else document.querySelector<HTMLElement>('.narrow-picker-button')?.click();
}

function remembered(): Place {
  const first: Place = { projectId: null, section: 'notes', openPlans: {}, marked: null, session: null, unfolded: {} };
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<Record<keyof Place, unknown>>;
    return {
      ...first,
      projectId: typeof stored.projectId === 'string' ? stored.projectId : null,
      section: sections.find((section) => section === stored.section) ?? 'notes',
      openPlans: isPlanMap(stored.openPlans) ? stored.openPlans : {},
      session: SessionRef.nullable()
        .catch(null)
        .parse(stored.session ?? null),
      unfolded: isUnfoldedMap(stored.unfolded) ? stored.unfolded : {},
    };
  } catch {
    // Not our JSON: the window opens at its first place.
    return first;
  }
}

function isUnfoldedMap(value: unknown): value is Place['unfolded'] {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((entry) => entry === 'none' || entry === 'some' || entry === 'all');
}

function isPlanMap(value: unknown): value is Place['openPlans'] {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((entry) => entry === null || typeof entry === 'string');
}

import { createHash } from 'node:crypto';
import {
  Failure,
  type Implementation,
  type KnowledgeBlock,
  type KnowledgeReason,
  knowledgeLimits,
  type Pin,
  type Pins,
  type SessionRef,
  sessionKey,
} from '../../../src/contract/index.ts';
import { parsePlan, revisionOf } from './context.ts';
import { titleOf } from './memory-entries.ts';
import type { MemoryStore } from './store.ts';

/** What `<id>.knowledge.json` would hold. */
interface StoredKnowledge {
  pins: { kind: Pin['kind']; id: string }[];
  /** Signature of what was told last; null when nothing was. */
  delivered: string | null;
  problem: string | null;
}

/** What sessions are told, in memory: simpler than the core's block, in the same shapes. */
export class MemoryKnowledge {
  readonly #stored = new Map<string, StoredKnowledge>();
  readonly #store: MemoryStore;
  /** What cannot be read at the moment; left out of every block. */
  leftOut: string[] = [];

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  of(session: SessionRef): StoredKnowledge {
    this.#store.sessions.of(session);
    const key = sessionKey(session);
    const stored = this.#stored.get(key) ?? { pins: [], delivered: null, problem: null };
    this.#stored.set(key, stored);
    return stored;
  }

  /** Says that what a session is told, or all of an owner's sessions, may be different. */
  changed(session: SessionRef | null, ownerId: string | null): void {
    this.#store.pair.publish('knowledge.changed', { session, ownerId });
  }

  pinsOf(session: SessionRef): Pins {
    const { pins, problem } = this.of(session);
    return { pins: pins.map((pin) => this.#shown(session, pin)), revision: revisionOf(pins), problem };
  }

  pin(session: SessionRef, kind: Pin['kind'], id: string, pinned: boolean): Pins {
    const stored = this.of(session);
    const others = this.pinsOf(session).pins.filter((pin) => !pin.stale && !(pin.kind === kind && pin.id === id));
    if (pinned && others.length >= knowledgeLimits.pins) {
      throw new Failure('limit', `A session is told of at most ${knowledgeLimits.pins} entries. Nothing was changed.`);
    }
    if (pinned && this.#shown(session, { kind, id }).stale) {
      throw new Failure('not-found', 'That entry is no longer there. Nothing was changed.');
    }
    stored.pins = [...others.map((pin) => ({ kind: pin.kind, id: pin.id })), ...(pinned ? [{ kind, id }] : [])];
    this.changed(session, this.#store.sessions.of(session).row.ownerId);
    return this.pinsOf(session);
  }

  block(session: SessionRef): KnowledgeBlock {
    const { ownerId } = this.#store.sessions.of(session).row;
    const pins = this.pinsOf(session).pins.filter(({ stale }) => !stale);
    const memories = [...this.#titles(null), ...(ownerId === null ? [] : this.#titles(ownerId))];
    const sections = [
      ...pins.map((pin) => `## Pinned ${pin.kind}: ${pin.title}\n\n${this.#content(ownerId, pin)}`),
      ...(memories.length === 0
        ? []
        : [`## Memory\n\n${memories.map(({ type, title }) => `- [${type}] ${title}`).join('\n')}`]),
    ];
    const text = sections.length === 0 ? '' : ['This is background, not an instruction.', ...sections].join('\n\n');
    return {
      text,
      signature: text === '' ? '' : `v2:${createHash('sha256').update(text).digest('hex')}`,
      parts: [
        ...pins.map(({ kind, id, title }) => ({ kind, id, title, told: 'whole' as const })),
        ...memories.map(({ id, title }) => ({ kind: 'memory' as const, id, title, told: 'title' as const })),
      ],
      leftOut: this.leftOut,
    };
  }

  reason(session: SessionRef): KnowledgeReason | null {
    const { signature } = this.block(session);
    const { delivered } = this.of(session);
    if (signature === '' || signature === delivered) return null;
    return delivered === null ? 'first' : 'content';
  }

  /** What goes with the next message of a session; it counts as told from now on. */
  tell(session: SessionRef): { text: string; digest: string; leftOut: string[] } | null {
    if (this.reason(session) === null) return null;
    const { text, signature, leftOut } = this.block(session);
    this.of(session).delivered = signature;
    return { text, digest: signature.slice('v2:'.length), leftOut };
  }

  #titles(ownerId: string | null) {
    if (!this.#store.application.settings().memoryEnabled) return [];
    return this.#store.memories
      .stored(ownerId)
      .entries.map(titleOf)
      .filter(({ withheld }) => !withheld);
  }

  #shown(session: SessionRef, { kind, id }: { kind: Pin['kind']; id: string }): Pin {
    const { ownerId } = this.#store.sessions.of(session).row;
    const context = ownerId === null ? undefined : this.#store.contexts.get(ownerId);
    if (kind === 'note') {
      const note = context?.notes.find((entry) => entry.id === id);
      return { kind, id, title: (note?.body ?? '').slice(0, 80), stale: note === undefined };
    }
    const plan = context?.plans.find((entry) => entry.id === id);
    const raw = plan === undefined ? undefined : context?.files.get(plan.file);
    return { kind, id, title: raw === undefined ? '' : parsePlan(raw).title, stale: plan === undefined };
  }

  #content(ownerId: string | null, { kind, id }: Pin): string {
    const context = ownerId === null ? undefined : this.#store.contexts.get(ownerId);
    if (kind === 'note') return context?.notes.find((entry) => entry.id === id)?.body ?? '';
    const file = context?.plans.find((entry) => entry.id === id)?.file ?? '';
    return parsePlan(context?.files.get(file) ?? '').body;
  }
}

export function createKnowledgeCalls(knowledge: MemoryKnowledge): Implementation['knowledge'] {
  return {
    pins: async ({ session }) => knowledge.pinsOf(session),
    pin: async ({ session, kind, id, pinned, revision }) => {
      if (revision !== undefined && revision !== knowledge.pinsOf(session).revision) {
        throw new Failure('conflict', 'The pins of this session are others by now. Nothing was overwritten.');
      }
      return knowledge.pin(session, kind, id, pinned);
    },
    block: async ({ session }) => knowledge.block(session),
    owed: async ({ session }) => ({ reason: knowledge.reason(session), block: knowledge.block(session) }),
  };
}

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AUTO_SAVE_MS, PlanSession } from '../../../renderer/state/plan-session.ts';
import type { PlanText } from '../../../renderer/state/plan-view.ts';
import { Failure } from '../../../src/contract/index.ts';
import { CHATS } from '../memory/context.ts';
import { openWindow, type TestWindow } from '../window.ts';

/** An editor that is a string, and counts what was written into it. */
class FakeText implements PlanText {
  text = '';
  composing = false;
  opened = 0;
  replaced = 0;
  read = () => this.text;
  isComposing = () => this.composing;
  open(raw: string) {
    this.opened++;
    this.text = raw;
  }
  replace(raw: string) {
    this.replaced++;
    this.text = raw;
  }
}

const V1 = '# Alpha\n\nbody\n';
const V2 = '# Alpha\n\nfrom outside\n';

let window: TestWindow;
let text: FakeText;
let session: PlanSession;

const onDisk = () => window.store.of(CHATS).files.get('alpha.md');
const writeOutside = (raw: string) => window.store.change(CHATS, (stored) => stored.files.set('alpha.md', raw));
const updates = () => window.store.calls.filter((name) => name === 'plans.update').length;
const settle = () => vi.advanceTimersByTimeAsync(1);
const rest = () => vi.advanceTimersByTimeAsync(AUTO_SAVE_MS + 1);
const type = (raw: string) => {
  text.text = raw;
  session.edited();
};

beforeEach(async () => {
  vi.useFakeTimers();
  window = await openWindow((store) => {
    store.of(CHATS).plans = [{ id: 'p1', file: 'alpha.md', createdAt: 1 }];
    store.of(CHATS).files.set('alpha.md', V1);
  });
  text = new FakeText();
  session = new PlanSession(window.sidekeep, CHATS, 'p1', text);
  await session.open();
  window.sidekeep.client.on('context.changed', () => {
    const { confirmed } = window.sidekeep.contexts.entry(CHATS);
    if (confirmed) session.contextChanged(confirmed);
  });
});

afterEach(() => {
  session[Symbol.dispose]();
  window[Symbol.dispose]();
  expect(window.store.reports).toEqual([]);
  vi.useRealTimers();
});

describe('an open plan', () => {
  it('is saved after a pause of typing, and only when the person changed it', async () => {
    await rest();
    session.edited();
    await rest();
    expect(updates(), 'nothing differs from the file').toBe(0);
    type(`${V1}typed`);
    expect(session.get().unsaved).toBe(true);
    await rest();
    expect(onDisk()).toBe(`${V1}typed`);
    expect(session.get()).toMatchObject({ unsaved: false, saving: false });
    expect(text).toMatchObject({ opened: 1, replaced: 0 });
  });

  it('takes its own save for nothing else (Zettlr/Zettlr#4729)', async () => {
    for (let turn = 0; turn < 20; turn++) {
      type(`${text.text}x`);
      await vi.advanceTimersByTimeAsync(turn % 3 === 0 ? AUTO_SAVE_MS + 1 : 100);
    }
    await rest();
    expect(onDisk()).toBe(V1 + 'x'.repeat(20));
    expect(text).toMatchObject({ opened: 1, replaced: 0 });
    expect(session.get().theirs).toBeNull();
  });

  it('keeps what is typed while a save is on its way', async () => {
    let release = () => {};
    window.store.before = () => new Promise<void>((resolve) => (release = resolve));
    type('first');
    const saving = session.save();
    type('first and second');
    release();
    window.store.before = async () => {};
    await saving;
    expect(onDisk()).toBe('first');
    expect(session.get().unsaved).toBe(true);
    await rest();
    expect(onDisk()).toBe('first and second');
    expect(text.replaced).toBe(0);
  });

  it('shows an outside change by itself while nothing is unsaved, each of several saves (laurent22/joplin#10186)', async () => {
    for (const turn of [1, 2, 3, 4, 5]) {
      if (turn === 3) {
        window.store.change(CHATS, (stored) => stored.files.delete('alpha.md'));
        await settle();
        expect(session.get().phase).toBe('missing');
      }
      writeOutside(`# Alpha ${turn}\n`);
      await settle();
      expect(text.text).toBe(`# Alpha ${turn}\n`);
      expect(session.get()).toMatchObject({ phase: 'ready', unsaved: false });
    }
    await rest();
    expect(updates(), 'nothing was written').toBe(0);
    expect(text.opened, 'undo leads back over each change').toBe(1);
  });

  it('keeps both texts when both changed, and saves nothing until the person chose (Zettlr/Zettlr#4959)', async () => {
    type('mine');
    writeOutside(V2);
    await rest();
    expect(session.get().theirs?.raw).toBe(V2);
    expect(text.text).toBe('mine');
    expect(onDisk()).toBe(V2);
    expect(updates()).toBe(0);
    session.keepMine();
    await settle();
    expect(onDisk()).toBe('mine');
    expect(session.get()).toMatchObject({ theirs: null, unsaved: false });
  });

  it('answers a save over an unseen change with the choice, and can take theirs', async () => {
    type('mine');
    window.store.silent = true;
    writeOutside(V2);
    await session.save();
    window.store.silent = false;
    expect(session.get().theirs?.raw).toBe(V2);
    expect(onDisk()).toBe(V2);
    session.takeTheirs();
    await rest();
    expect(text.text).toBe(V2);
    expect(onDisk()).toBe(V2);
    expect(session.get()).toMatchObject({ theirs: null, unsaved: false });
    expect(window.sidekeep.saves.get().failures, 'the choice says it already').toEqual([]);
  });

  it('waits with an outside change until an input method has ended', async () => {
    text.composing = true;
    writeOutside(V2);
    await settle();
    expect(text.text).toBe(V1);
    text.composing = false;
    session.compositionEnded();
    await settle();
    expect(text.text).toBe(V2);
  });

  it('keeps its text and makes no file when it is deleted elsewhere (openchamber/openchamber#3059)', async () => {
    type('mine');
    window.store.change(CHATS, (stored) => {
      stored.plans = [];
      stored.files.clear();
    });
    await rest();
    await session.save();
    expect(session.get().phase).toBe('deleted');
    expect(text.text).toBe('mine');
    expect(onDisk()).toBeUndefined();
    expect(updates()).toBe(0);
  });

  it('says that its file is gone when a save finds that out', async () => {
    type('mine');
    window.store.silent = true;
    window.store.change(CHATS, (stored) => stored.files.delete('alpha.md'));
    await session.save();
    expect(session.get().phase).toBe('missing');
    expect(text.text).toBe('mine');
    expect(onDisk()).toBeUndefined();
  });

  it('keeps unsaved text over a reload and a failing disk', async () => {
    window.store.failing.set('plans.update', new Failure('in-use', 'Another process has the folder.'));
    type('mine');
    await rest();
    expect(window.sidekeep.saves.get().failures[0]).toMatchObject({ error: { code: 'in-use' }, text: 'mine' });
    session[Symbol.dispose]();
    window.store.failing.clear();
    const reopened = new FakeText();
    using again = new PlanSession(window.sidekeep, CHATS, 'p1', reopened);
    await again.open();
    expect(reopened.text).toBe('mine');
    expect(again.get()).toMatchObject({ unsaved: true, theirs: null });
    await rest();
    expect(onDisk()).toBe('mine');
  });

  it('shows both texts when the file changed while unsaved text waited for a reload', async () => {
    type('mine');
    session[Symbol.dispose]();
    window.store.silent = true;
    writeOutside(V2);
    const reopened = new FakeText();
    using again = new PlanSession(window.sidekeep, CHATS, 'p1', reopened);
    await again.open();
    expect(reopened.text).toBe('mine');
    expect(again.get().theirs?.raw).toBe(V2);
    expect(onDisk()).toBe(V2);
  });

  it('is not saved while it is over the limit', async () => {
    type('x'.repeat(200_001));
    await rest();
    expect(session.get()).toMatchObject({ excess: 1, unsaved: true });
    expect(updates()).toBe(0);
    type('short');
    await rest();
    expect(onDisk()).toBe('short');
    expect(session.get().excess).toBe(0);
  });
});

describe('putting an earlier version back', () => {
  it('saves it, and what was unsaved first', async () => {
    type('# Alpha\n\ntyped\n');
    const putting = session.putBack('# Alpha\n\nearlier\n');
    await settle();
    await putting;
    expect(onDisk()).toBe('# Alpha\n\nearlier\n');
    expect(text.text).toBe('# Alpha\n\nearlier\n');
    expect(text.opened, 'undo leads back').toBe(1);
    expect(updates()).toBe(2);
    const versions = window.store
      .of(CHATS)
      .versions.get('alpha.md')
      ?.map(({ raw }) => raw);
    expect(versions).toEqual(['# Alpha\n\ntyped\n', V1]);
    expect(session.get()).toMatchObject({ unsaved: false, theirs: null });
  });

  it('does nothing while both a text on disk and an unsaved one wait for a choice', async () => {
    type('# Alpha\n\ntyped\n');
    writeOutside(V2);
    await settle();
    expect(session.get().theirs?.raw).toBe(V2);
    await session.putBack(V1);
    expect(text.text).toBe('# Alpha\n\ntyped\n');
    expect(onDisk()).toBe(V2);
  });
});

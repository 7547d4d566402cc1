import { describe, expect, it } from 'vitest';
import { DraftStore } from '../../../renderer/state/drafts.ts';
import { MemoryStorage } from '../window.ts';

const KEY = 'p1/new-note';

describe('drafts', () => {
  it('outlive the window, each window its own', () => {
    const storage = new MemoryStorage();
    using drafts = new DraftStore(storage, 'sidebar');
    drafts.write(KEY, 'typed');
    drafts.flush();
    using again = new DraftStore(storage, 'sidebar');
    using other = new DraftStore(storage, 'mini-chat');
    expect(again.read(KEY).text).toBe('typed');
    expect(other.read(KEY).text).toBe('');
  });

  it('are forgotten only when what was sent is acknowledged', () => {
    const storage = new MemoryStorage();
    using drafts = new DraftStore(storage, 'sidebar');
    drafts.write(KEY, 'first');
    const sending = drafts.send(KEY);
    expect(drafts.read(KEY).text, 'the field is free for the next text').toBe('');
    drafts.write(KEY, 'second');
    drafts.flush();
    using crashed = new DraftStore(storage, 'sidebar');
    expect(crashed.read(KEY).text, 'a crash before the answer loses neither').toBe('first\nsecond');
    sending.acknowledge();
    drafts.flush();
    using later = new DraftStore(storage, 'sidebar');
    expect(later.read(KEY).text).toBe('second');
  });

  it('come back in front of what was typed meanwhile when they were not saved', () => {
    using drafts = new DraftStore(new MemoryStorage(), 'sidebar');
    drafts.write(KEY, 'first');
    const sending = drafts.send(KEY);
    drafts.write(KEY, 'second');
    sending.restore();
    sending.restore();
    expect(drafts.read(KEY)).toMatchObject({ text: 'first\nsecond', sending: [] });
  });

  it('are never overwritten by what another window hands over', () => {
    using drafts = new DraftStore(new MemoryStorage(), 'sidebar');
    drafts.append(KEY, 'handed over');
    drafts.append(KEY, 'and more');
    expect(drafts.read(KEY).text).toBe('handed over\n\nand more');
  });

  it('stay in memory, and say so, when the storage is full', () => {
    const storage = new MemoryStorage();
    using drafts = new DraftStore(storage, 'sidebar');
    let said = 0;
    drafts.onStorageFailure = () => said++;
    storage.full = true;
    drafts.write(KEY, 'typed');
    drafts.flush();
    expect(said).toBe(1);
    expect(drafts.read(KEY).text).toBe('typed');
    storage.full = false;
  });

  it('ignore what is not theirs in the storage', () => {
    const storage = new MemoryStorage();
    storage.setItem('sidekeep.draft/sidebar/p1/new-note', '{broken');
    storage.setItem('sidekeep.theme', 'dark');
    using drafts = new DraftStore(storage, 'sidebar');
    expect(drafts.get().size).toBe(0);
    expect(storage.getItem('sidekeep.draft/sidebar/p1/new-note')).toBe('{broken');
  });

  it('follow their owner to another id, below what is there already', () => {
    const storage = new MemoryStorage();
    using drafts = new DraftStore(storage, 'sidebar');
    const base = { text: 'before', revision: '0123456789abcdef' };
    drafts.write('old/new-note', 'mine');
    drafts.write('old/note:n1', 'edited', base);
    drafts.write('older/new-note', 'of another');
    drafts.write('new/new-note', 'there');
    drafts.write('old/new-todo', 'on its way');
    const sending = drafts.send('old/new-todo');
    drafts.follow('old', 'new');
    expect(drafts.read('new/new-note').text).toBe('there\n\nmine');
    expect(drafts.read('new/note:n1')).toMatchObject({ text: 'edited', base });
    expect(drafts.read('older/new-note').text).toBe('of another');
    expect(drafts.read('old/new-note').text).toBe('');
    expect(drafts.read('old/new-todo').sending).toEqual(['on its way']);
    sending.acknowledge();
    expect([...drafts.get().keys()].filter((key) => key.startsWith('old/'))).toEqual([]);
  });
});

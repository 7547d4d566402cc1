import { expect, test, vi } from 'vitest';
import { TOAST_MS, ToastStore } from '../../../renderer/state/toasts.ts';

test('an undo that is asked for while a delete is under way waits for that delete, and takes no older one', async () => {
  using toasts = new ToastStore();
  const undone: string[] = [];
  const offer = (what: string) => toasts.show(what, { action: { label: 'Undo', run: () => void undone.push(what) } });
  offer('older');
  const { promise, resolve } = Promise.withResolvers<void>();
  const deleting = toasts.during(async () => {
    await promise;
    offer('newer');
  });
  expect(toasts.actOnNewest()).toBe(true);
  expect(undone).toEqual([]);
  resolve();
  await deleting;
  expect(undone).toEqual(['newer']);
  toasts.actOnNewest();
  expect(undone).toEqual(['newer', 'older']);
  expect(toasts.actOnNewest()).toBe(false);
});

test('an undo that is asked for while a delete fails undoes nothing else', async () => {
  using toasts = new ToastStore();
  const undone: string[] = [];
  toasts.show('older', { action: { label: 'Undo', run: () => void undone.push('older') } });
  const failing = toasts.during(() => Promise.reject(new Error('no')));
  expect(toasts.actOnNewest()).toBe(true);
  await expect(failing).rejects.toThrow('no');
  expect(undone).toEqual([]);
  expect(toasts.actOnNewest()).toBe(true);
  expect(undone).toEqual(['older']);
});

test('toasts of one kind do not pile up, and one that offers something outlasts one that does not', () => {
  using toasts = new ToastStore();
  const messages = () => toasts.get().map(({ message }) => message);
  const action = { label: 'Undo', run: () => {} };
  toasts.show('restored 1', { kind: 'restored' });
  toasts.show('restored 2', { kind: 'restored' });
  expect(messages()).toEqual(['restored 2']);
  toasts.show('a', { action });
  toasts.show('said');
  toasts.show('b', { action });
  toasts.show('c', { action });
  toasts.show('d', { action });
  expect(messages()).toEqual(['a', 'b', 'c', 'd']);
});

test('the time of a toast stands still while it is held, and goes on where it was', () => {
  vi.useFakeTimers();
  try {
    using toasts = new ToastStore();
    toasts.show('one');
    vi.advanceTimersByTime(TOAST_MS - 1000);
    toasts.pause('pointer');
    toasts.pause('keyboard');
    vi.advanceTimersByTime(TOAST_MS * 2);
    toasts.resume('keyboard');
    vi.advanceTimersByTime(TOAST_MS);
    expect(toasts.get()).toHaveLength(1);
    toasts.resume('pointer');
    vi.advanceTimersByTime(999);
    expect(toasts.get()).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(toasts.get()).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test('an action that only leads somewhere is never what undo asks for', () => {
  using toasts = new ToastStore();
  const done: string[] = [];
  toasts.show('deleted', { action: { label: 'Undo', run: () => void done.push('undo') } });
  const id = toasts.show('nothing', { action: { label: 'Show', run: () => void done.push('show'), isLink: true } });
  expect(toasts.actOnNewest()).toBe(true);
  expect(toasts.actOnNewest()).toBe(false);
  expect(done).toEqual(['undo']);
  toasts.act(id);
  expect(done).toEqual(['undo', 'show']);
});

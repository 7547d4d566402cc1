import { expect, test } from 'vitest';
import { ToastStore } from '../../../renderer/state/toasts.ts';

test('an undo that is asked for while a delete is under way waits for that delete, and takes no older one', async () => {
  using toasts = new ToastStore();
  const undone: string[] = [];
  const offer = (what: string) => toasts.show(what, { label: 'Undo', run: () => void undone.push(what) });
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
  toasts.show('older', { label: 'Undo', run: () => void undone.push('older') });
  const failing = toasts.during(() => Promise.reject(new Error('no')));
  expect(toasts.actOnNewest()).toBe(true);
  await expect(failing).rejects.toThrow('no');
  expect(undone).toEqual([]);
  expect(toasts.actOnNewest()).toBe(true);
  expect(undone).toEqual(['older']);
});

import { expect, test } from 'vitest';
import { Offer } from '../../electron/windows/offer.ts';

test('what is offered is kept until it is taken, once', () => {
  const offer = new Offer<{ text: string }>();
  expect(offer.current).toBeNull();
  offer.make({ text: 'one' });
  expect(offer.current).toEqual({ id: 1, text: 'one' });
  expect(offer.take(2)).toBe(false);
  expect(offer.current).toEqual({ id: 1, text: 'one' });
  expect(offer.take(1)).toBe(true);
  expect(offer.current).toBeNull();
  expect(offer.take(1)).toBe(false);
});

test('a newer one takes the place of one that was not taken, and taking the old one does not end it', () => {
  const offer = new Offer<{ text: string }>();
  offer.make({ text: 'one' });
  offer.make({ text: 'one' });
  expect(offer.take(1)).toBe(false);
  expect(offer.current).toEqual({ id: 2, text: 'one' });
});

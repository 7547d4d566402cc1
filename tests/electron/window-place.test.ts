import { expect, test } from 'vitest';
import { cornerPlace, usablePlace } from '../../electron/windows/place.ts';

const screen = { workArea: { x: 0, y: 0, width: 1440, height: 900 } };
const second = { workArea: { x: 1440, y: 0, width: 1920, height: 1080 } };
const place = { x: 1600, y: 100, width: 400, height: 560 };

test('a remembered place on a screen is used', () => {
  expect(usablePlace(place, [screen, second])).toEqual(place);
});

test('a place on a screen that is gone is not used', () => {
  expect(usablePlace(place, [screen])).toBeNull();
});

test('a window that barely shows, or whose title bar is out of reach, is not used', () => {
  expect(usablePlace({ ...place, x: 1400, width: 200 }, [screen])).toBeNull();
  expect(usablePlace({ x: 100, y: -300, width: 400, height: 560 }, [screen])).toBeNull();
});

test('a place larger than its screen is cut to it', () => {
  expect(usablePlace({ x: 0, y: 0, width: 5000, height: 5000 }, [screen])).toEqual({
    x: 0,
    y: 0,
    width: 1440,
    height: 900,
  });
});

test('nothing remembered leaves the choice to the system', () => {
  expect(usablePlace(null, [screen])).toBeNull();
});

test('a small window without a place opens in the lower right corner, inside the screen', () => {
  const size = { width: 400, height: 560 };
  expect(cornerPlace(size, screen)).toEqual({ x: 1016, y: 316, width: 400, height: 560 });
  expect(cornerPlace(size, { workArea: { x: 10, y: 20, width: 300, height: 200 } })).toEqual({
    x: 10,
    y: 20,
    width: 300,
    height: 200,
  });
});

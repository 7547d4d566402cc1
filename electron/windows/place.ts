import type { BrowserWindow, Display } from 'electron';
import type { Bounds } from '../settings.ts';

/** How much of a window has to be on a screen for its remembered place to be used, in pixels. */
const VISIBLE_EDGE = 80;

/** Space between a window in the corner and the edges of the screen, in pixels. */
const CORNER_GAP = 24;

/**
 * Where a window opens: its remembered place when enough of it is still on a screen, at most as large as that screen;
 * else null, and the system chooses.
 */
export function usablePlace(remembered: Bounds | null, displays: readonly Pick<Display, 'workArea'>[]): Bounds | null {
  if (remembered === null) return null;
  for (const { workArea } of displays) {
    const width = Math.min(remembered.width, workArea.width);
    const height = Math.min(remembered.height, workArea.height);
    const right = Math.min(remembered.x + width, workArea.x + workArea.width);
    const bottom = Math.min(remembered.y + height, workArea.y + workArea.height);
    const overlap = { x: right - Math.max(remembered.x, workArea.x), y: bottom - Math.max(remembered.y, workArea.y) };
    const titleBarReachable = remembered.y >= workArea.y - 8;
    if (overlap.x >= VISIBLE_EDGE && overlap.y >= VISIBLE_EDGE && titleBarReachable) {
      return { x: remembered.x, y: remembered.y, width, height };
    }
  }
  return null;
}

/** The lower right corner of a screen, where a small window covers least; no larger than the screen. */
export function cornerPlace(size: Pick<Bounds, 'width' | 'height'>, { workArea }: Pick<Display, 'workArea'>): Bounds {
  const width = Math.min(size.width, workArea.width);
  const height = Math.min(size.height, workArea.height);
  return {
    x: workArea.x + Math.max(0, workArea.width - width - CORNER_GAP),
    y: workArea.y + Math.max(0, workArea.height - height - CORNER_GAP),
    width,
    height,
  };
}

/** Calls `remember` a moment after the window was moved or resized, and once more when it closes. */
export function rememberPlace(window: BrowserWindow, remember: (bounds: Bounds) => void): void {
  let timer: NodeJS.Timeout | undefined;
  const keep = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (!window.isDestroyed()) remember(window.getNormalBounds());
  };
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(keep, 400);
  };
  window.on('move', later);
  window.on('resize', later);
  window.on('close', keep);
  window.on('closed', () => clearTimeout(timer));
}

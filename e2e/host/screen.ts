import { EventEmitter } from 'node:events';
import type { Protocol } from './cdp.ts';
import { refuseMissing } from './refuse.ts';
import { runtime } from './runtime.ts';

type Rectangle = Electron.Rectangle;

/** `screen`: the displays that Chromium reports (in headless those of `--screen-info`), as of the app's start. */
class Screen extends EventEmitter {
  getAllDisplays(): Electron.Display[] {
    if (!runtime.ready) throw new Error("The 'screen' module can't be used before the app 'ready' event");
    return runtime.screens.map(display);
  }
  getPrimaryDisplay(): Electron.Display {
    const displays = this.getAllDisplays();
    const primary = displays[runtime.screens.findIndex(({ isPrimary }) => isPrimary)] ?? displays[0];
    if (!primary) throw new Error('host: Chromium reports no display');
    return primary;
  }
  getDisplayMatching(rectangle: Rectangle): Electron.Display {
    return this.best((display) => commonArea(display.bounds, rectangle)) ?? this.nearest(middleOf(rectangle));
  }
  getDisplayNearestPoint(point: Electron.Point): Electron.Display {
    return this.nearest(point);
  }

  private nearest({ x, y }: Electron.Point): Electron.Display {
    const distance = ({ bounds }: Electron.Display): number =>
      Math.hypot(
        Math.max(bounds.x - x, 0, x - bounds.x - bounds.width + 1),
        Math.max(bounds.y - y, 0, y - bounds.y - bounds.height + 1),
      );
    const sorted = this.getAllDisplays().sort((one, other) => distance(one) - distance(other));
    return sorted[0] ?? this.getPrimaryDisplay();
  }

  private best(score: (display: Electron.Display) => number): Electron.Display | undefined {
    const sorted = this.getAllDisplays().sort((one, other) => score(other) - score(one));
    return sorted[0] && score(sorted[0]) > 0 ? sorted[0] : undefined;
  }
}
refuseMissing(Screen.prototype, 'Screen', 'screen');

export const screen = new Screen();

function display(info: Protocol.Emulation.ScreenInfo): Electron.Display {
  const bounds = { x: info.left, y: info.top, width: info.width, height: info.height };
  const workArea = { x: info.availLeft, y: info.availTop, width: info.availWidth, height: info.availHeight };
  const known = {
    id: Number(info.id),
    bounds,
    workArea,
    size: { width: bounds.width, height: bounds.height },
    workAreaSize: { width: workArea.width, height: workArea.height },
    scaleFactor: info.devicePixelRatio,
    rotation: info.orientation.angle,
    internal: info.isInternal,
    label: info.label,
    colorDepth: info.colorDepth,
    touchSupport: 'unknown' as const,
    detected: true,
  };
  refuseMissing(known, 'Display', 'display');
  return known as unknown as Electron.Display;
}

function commonArea(one: Rectangle, other: Rectangle): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}

function middleOf({ x, y, width, height }: Rectangle): Electron.Point {
  return { x: x + width / 2, y: y + height / 2 };
}

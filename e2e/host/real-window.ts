import type { Protocol } from './cdp.ts';
import { chromium, quietly, runtime } from './runtime.ts';
import type { WindowPlace } from './targets.ts';
import type { WebContents } from './web-contents.ts';

type Bounds = Electron.Rectangle;
type Size = [width: number, height: number];

export type WindowState = 'normal' | 'minimized' | 'maximized' | 'fullscreen';

/**
 * Where one window is, how large its page is, and whether it is shown: what the program wants, brought to the Chromium
 * window one change at a time. Windows have no frame here, so bounds and content bounds are the same.
 */
export class RealWindow {
  state: WindowState = 'normal';
  minimum: Size;
  maximum: Size;
  private shown: boolean;
  private everShown: boolean;
  private normal: Bounds;
  private applying: Promise<void> = Promise.resolve();
  private readonly contents: () => WebContents;

  constructor(options: Electron.BrowserWindowConstructorOptions, contents: () => WebContents) {
    this.contents = contents;
    this.minimum = [options.minWidth ?? 0, options.minHeight ?? 0];
    this.maximum = [options.maxWidth ?? 0, options.maxHeight ?? 0];
    const { x, y, width = 800, height = 600, center } = options;
    const size = this.clamped({ x: 0, y: 0, width, height });
    const isPlaced = x !== undefined && y !== undefined && !center;
    this.normal = isPlaced ? { ...size, x, y } : centered(size.width, size.height);
    this.shown = options.show !== false;
    this.everShown = this.shown;
  }

  get isShown(): boolean {
    return this.shown;
  }

  /** Outside of maximizing and the like. */
  get normalBounds(): Bounds {
    return { ...this.normal };
  }

  get bounds(): Bounds {
    return this.state === 'maximized' || this.state === 'fullscreen' ? screenArea() : this.normalBounds;
  }

  get place(): WindowPlace {
    return this.normal;
  }

  /** Moves and resizes within the limits; says what changed. */
  setBounds(wanted: Partial<Bounds>): { moved: boolean; resized: boolean } {
    const old = this.normal;
    const now = this.clamped({ ...old, ...wanted });
    this.normal = now;
    if (this.state === 'maximized') this.state = 'normal';
    this.apply();
    return { moved: now.x !== old.x || now.y !== old.y, resized: now.width !== old.width || now.height !== old.height };
  }

  /** A person did it: the real window is there already. */
  noteBounds(bounds: Bounds): void {
    this.normal = bounds;
  }

  center(): { moved: boolean; resized: boolean } {
    return this.setBounds(centered(this.normal.width, this.normal.height));
  }

  setShown(shown: boolean): void {
    this.shown = shown;
    this.everShown ||= shown;
    this.apply();
  }

  /** False when it was in that state already. */
  enter(state: WindowState): boolean {
    if (this.state === state) return false;
    this.state = state;
    this.apply();
    return true;
  }

  private apply(): void {
    this.applying = this.applying.then(() => quietly(this.contents()._attached.then(() => this.fit())));
  }

  /**
   * Brings the Chromium window to the wanted state. A hidden one is minimized, so that its page sees itself hidden; one that
   * was never shown is not, since in Electron its page counts as visible too.
   */
  async fit(): Promise<void> {
    const { browser } = chromium();
    const { windowId } = await browser.send('Browser.getWindowForTarget', { targetId: this.contents()._targetId });
    const set = (bounds: Protocol.Browser.Bounds) => browser.send('Browser.setWindowBounds', { windowId, bounds });
    const state = this.shown || !this.everShown ? this.state : 'minimized';
    const { x: left, y: top, width, height } = this.normal;
    await set({ windowState: 'normal' });
    await set({ left, top });
    await browser.send('Browser.setContentsSize', { windowId, width, height });
    if (state !== 'normal') await set({ windowState: state });
  }

  private clamped({ x, y, width, height }: Bounds): Bounds {
    const within = (value: number, least: number, most: number): number =>
      Math.max(Math.min(Math.round(value), most || Number.POSITIVE_INFINITY), least, 1);
    return {
      x: Math.round(x),
      y: Math.round(y),
      width: within(width, this.minimum[0], this.maximum[0]),
      height: within(height, this.minimum[1], this.maximum[1]),
    };
  }
}

/** The work area of the primary display. */
function screenArea(): Bounds {
  const screen = runtime.screens.find(({ isPrimary }) => isPrimary) ?? runtime.screens[0];
  if (!screen) throw new Error('host: Chromium reports no display');
  return { x: screen.availLeft, y: screen.availTop, width: screen.availWidth, height: screen.availHeight };
}

function centered(width: number, height: number): Bounds {
  const area = screenArea();
  const x = area.x + Math.max(0, Math.round((area.width - width) / 2));
  const y = area.y + Math.max(0, Math.round((area.height - height) / 2));
  return { x, y, width, height };
}

import { EventEmitter } from 'node:events';
import { refuseMissing } from './refuse.ts';
import { quietly, runtime } from './runtime.ts';

type Source = Electron.NativeTheme['themeSource'];
let source: Source = 'system';

/** `nativeTheme`: the source is state that every page sees as `prefers-color-scheme`; the system counts as light. */
class NativeTheme extends EventEmitter {
  readonly shouldUseHighContrastColors = false;
  readonly shouldUseInvertedColorScheme = false;
  readonly inForcedColorsMode = false;
  readonly prefersReducedTransparency = false;

  get themeSource(): Source {
    return source;
  }
  set themeSource(value: Source) {
    if (!['system', 'light', 'dark'].includes(value)) throw new TypeError(`Invalid themeSource ${String(value)}`);
    if (value === source) return;
    source = value;
    for (const contents of runtime.byTarget.values()) void quietly(contents._applyTheme());
    queueMicrotask(() => this.emit('updated'));
  }
  get shouldUseDarkColors(): boolean {
    return source === 'dark';
  }
  get shouldUseDarkColorsForSystemIntegratedUI(): boolean {
    return false;
  }
}
refuseMissing(NativeTheme.prototype, 'NativeTheme', 'nativeTheme');

export const nativeTheme = new NativeTheme();

/** The media features that a page must see. */
export function nativeThemeFeatures(): { name: string; value: string }[] {
  return source === 'system' ? [] : [{ name: 'prefers-color-scheme', value: source }];
}

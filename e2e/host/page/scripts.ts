import { readFileSync } from 'node:fs';
import { makeCodec } from '../codec.ts';
import { makeBridge } from './bridge.ts';
import { isolatedWorld, type PageProcess } from './isolated-world.ts';
import { mainWorld } from './main-world.ts';
import { guardPermissions } from './permission-guard.ts';
import { makePreloadModules } from './preload-modules.ts';

/** The name of the world in which preloads run: no page script can reach it. */
export const isolatedWorldName = 'Electron Isolated Context';

/**
 * The texts of the two scripts that Chromium runs in every document before any script of the page. Node has stripped the
 * types from the functions, so their own text is plain JavaScript.
 *
 * The preload becomes the body of a function in the text: nothing is evaluated, so a page's CSP does not touch it. It is
 * given neither Node's modules nor `Buffer`, so a use of the latter fails as an undefined name.
 */
export function pageScripts(
  nonce: string,
  info: PageProcess,
  preloadFile: string | undefined,
): { main: string; isolated: string } {
  const quoted = JSON.stringify(nonce);
  const preload = preloadFile === undefined ? 'null' : preloadFunction(preloadFile);
  const parts = `{ bridge: ${makeBridge}, codec: ${makeCodec}, preloadModules: ${makePreloadModules} }`;
  return {
    main: `(${mainWorld})(${quoted}, ${makeBridge}, ${guardPermissions});`,
    isolated: `(${isolatedWorld})(${quoted}, ${parts}, ${JSON.stringify(info)}, ${preload});
//# sourceURL=${(preloadFile ?? 'host-isolated-world').replace(/\s/g, '%20')}`,
  };
}

function preloadFunction(file: string): string {
  return `function (require, exports, module, process, global) {${readFileSync(file, 'utf8')}\n}`;
}

import { refuse, refuseMissing } from './refuse.ts';
import { runtime } from './runtime.ts';
import { type SchemeHandler, schemes } from './schemes.ts';

const builtIn = /^(https?|wss?|file|data|blob|about|chrome|devtools)$/;

/** `protocol`: privileged schemes declared before `ready` and answered by `handle`. */
export const protocol = {
  registerSchemesAsPrivileged(customSchemes: Electron.CustomScheme[]): void {
    if (runtime.ready) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    for (const scheme of customSchemes) schemes.declare(scheme);
  },
  handle(scheme: string, handler: SchemeHandler): void {
    if (builtIn.test(scheme)) refuse(`protocol.handle of the built-in scheme '${scheme}'`);
    if (!schemes.isPrivileged(scheme)) refuse(`protocol.handle of '${scheme}', which was not registered as privileged`);
    if (schemes.isHandled(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    schemes.add(scheme, handler);
  },
  unhandle(scheme: string): void {
    if (!schemes.remove(scheme)) throw new Error(`Failed to unhandle protocol: ${scheme}`);
  },
  isProtocolHandled(scheme: string): boolean {
    return builtIn.test(scheme) || schemes.isHandled(scheme);
  },
};
refuseMissing(protocol, 'Protocol', 'protocol');

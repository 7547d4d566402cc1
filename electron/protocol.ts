import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Protocol } from 'electron';

export const SCHEME = 'app';
/** The only origin whose pages may speak to the main process. */
export const ORIGIN = 'app://sidekeep';

/** What Electron has to know of the scheme before it is ready. */
export const schemePrivileges = {
  scheme: SCHEME,
  privileges: { standard: true, secure: true, supportFetchAPI: true },
} as const;

/** Nothing but our own files: no inline script or style, no eval, no frame, and only trusted types reach the parser. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Serves the files of `folder` as `app://sidekeep/…`. */
export function serveApplication(protocol: Protocol, folder: string): void {
  protocol.handle(SCHEME, (request) => answer(request, folder));
}

/** The answer to one request: a file of `folder`, or a refusal that says nothing about the disk. */
export async function answer(request: Request, folder: string): Promise<Response> {
  if (request.method !== 'GET') return refusal(405);
  const file = await resolveFile(request.url, folder);
  if (file === null) return refusal(404);
  const contentType = contentTypes[path.extname(file)] ?? '';
  return new Response(await readFile(file), { headers: { ...securityHeaders, 'content-type': contentType } });
}

/**
 * The file that an address names, or null when it names none that we serve: another type, another host, an encoded separator or NUL, a drive,
 * a path that leaves `folder` by `..`, by a neighbour with the same prefix or through a link.
 */
export async function resolveFile(address: string, folder: string): Promise<string | null> {
  const pathname = pathOf(address);
  if (pathname === null || contentTypes[path.extname(pathname)] === undefined) return null;
  const root = await realpath(folder);
  const file = await realpath(path.join(root, pathname)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ENAMETOOLONG') return null;
    throw error;
  });
  return file?.startsWith(root + path.sep) ? file : null;
}

function pathOf(address: string): string | null {
  let url: URL;
  let pathname: string;
  try {
    url = new URL(address);
    pathname = decodeURIComponent(url.pathname);
  } catch {
    // Not an address, or not decodable: it names no file of ours.
    return null;
  }
  if (url.protocol !== `${SCHEME}:` || url.host !== 'sidekeep') return null;
  const plain = /^(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/.test(pathname);
  return plain && !pathname.includes('..') ? pathname : null;
}

const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const refusal = (status: number): Response => new Response(null, { status, headers: securityHeaders });

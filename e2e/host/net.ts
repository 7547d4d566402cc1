import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { refuseMissing } from './refuse.ts';
import { schemes } from './schemes.ts';

const contentTypes: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain',
};

/** `net`: `fetch` of files, of handled schemes and, by Node, of http; `isOnline` is always true. */
export const net = {
  async fetch(
    input: string | Request,
    init?: RequestInit & { bypassCustomProtocolHandlers?: boolean },
  ): Promise<Response> {
    const { protocol, href } = new URL(typeof input === 'string' ? input : input.url);
    if (protocol === 'file:') return fetchFile(href);
    const handler = schemes.handler(protocol.slice(0, -1));
    if (handler && !init?.bypassCustomProtocolHandlers) return handler(new Request(input, init));
    return fetch(input, init);
  },
  isOnline: (): boolean => true,
  get online(): boolean {
    return true;
  },
};
refuseMissing(net, 'Net', 'net');

async function fetchFile(url: string): Promise<Response> {
  const path = fileURLToPath(url);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === 'ENOENT' ? 'net::ERR_FILE_NOT_FOUND' : 'net::ERR_FAILED', { cause: error });
  });
  if (!found.isFile()) throw new Error('net::ERR_FILE_NOT_FOUND');
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  return new Response(body, { headers: { 'content-type': contentTypes[extname(path)] ?? 'application/octet-stream' } });
}

import { constants } from 'node:os';

/**
 * Lets two names of one folder change places at once, so that at no moment either is missing and nothing that a third program
 * put there is lost. Null when it is done.
 *
 * @returns What the system says instead, such as `ENOENT`; `unsupported` when this disk or system cannot.
 */
export type NameExchange = (one: string, other: string) => null | 'unsupported' | string;

let loaded: Promise<NameExchange | null> | null = null;

/** The exchange of this system, loaded once for each thread; null where there is none. Node.js has no call for it. */
export function nameExchange(): Promise<NameExchange | null> {
  loaded ??= load();
  return loaded;
}

/** What says that it is the disk, or what guards the process, that does not know the call. */
const unsupported: readonly string[] = ['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM'];

async function load(): Promise<NameExchange | null> {
  if (process.platform !== 'linux' && process.platform !== 'darwin') return null;
  try {
    const { default: koffi } = await import('koffi');
    const call = process.platform === 'linux' ? linuxCall(koffi) : macCall(koffi);
    return (one, other) => {
      if (call(one, other) === 0) return null;
      const code = codeOf(koffi.errno());
      return unsupported.includes(code) ? 'unsupported' : code;
    };
  } catch {
    // A system without the library, or a library without the function: replacing takes more steps then.
    return null;
  }
}

type Koffi = typeof import('koffi')['default'];
type Call = (one: string, other: string) => number;

/** renameat2(2) with RENAME_EXCHANGE, relative to the folder of the process as every call here. */
function linuxCall(koffi: Koffi): Call {
  const AT_FDCWD = -100;
  const RENAME_EXCHANGE = 2;
  const renameat2 = koffi
    .load(null)
    .func('int renameat2(int oldFolder, const char *old, int newFolder, const char *new, unsigned int flags)');
  return (one, other) => renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) as number;
}

/** renamex_np(2) with RENAME_SWAP. */
function macCall(koffi: Koffi): Call {
  const RENAME_SWAP = 2;
  const renamex = koffi
    .load('/usr/lib/libSystem.B.dylib')
    .func('int renamex_np(const char *old, const char *new, unsigned int flags)');
  return (one, other) => renamex(one, other, RENAME_SWAP) as number;
}

const codeOf = (errno: number): string =>
  Object.entries(constants.errno).find(([, number]) => number === errno)?.[0] ?? `E${errno}`;

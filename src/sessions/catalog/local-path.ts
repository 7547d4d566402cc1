import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { systemCode } from '../../files/failures.ts';

/** File systems of this machine as Linux names them in its list of mounts. */
const localNames: ReadonlySet<string> = new Set(
  'ext2 ext3 ext4 xfs btrfs tmpfs overlay f2fs ramfs zfs bcachefs squashfs'.split(' '),
);
/** Most links that a path may go through, as Linux has it. */
const MOST_LINKS = 40;

/**
 * The real path of something, found at once, without a turn of the event loop: only where every step of the way is on a disk
 * of this machine, so that nobody waits for another one. What does not exist yet is kept as it was given. Null where that
 * cannot be told (Linux alone tells it), or where anything stands in the way.
 */
export function realPathNow(path: string): string | null {
  const isLocal = localPlaces();
  if (isLocal === null || !isLocal(sep)) return null;
  let real = '';
  let names = namesOf(resolve(path));
  let links = 0;
  try {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      const next = real + sep + name;
      if (!isLocal(next)) return null;
      const status = lstatSync(next, { throwIfNoEntry: false });
      if (status === undefined) return [next, ...names].join(sep);
      if (!status.isSymbolicLink()) {
        real = next;
        continue;
      }
      if (++links > MOST_LINKS) return null;
      names = [...namesOf(resolve(real + sep, readlinkSync(next))), ...names];
      real = '';
    }
    return real === '' ? sep : real;
  } catch (error) {
    // Whoever goes the slow way will learn what it is.
    if (systemCode(error) === null) throw error;
    return null;
  }
}

const namesOf = (path: string): string[] => path.split(sep).filter((name) => name !== '');

/** Tells whether all that is mounted at a path or above it is of this machine; null where there is no list of mounts. */
function localPlaces(): ((path: string) => boolean) | null {
  if (process.platform !== 'linux') return null;
  let list: string;
  try {
    // Made by the kernel as it is read: no disk is asked.
    list = readFileSync('/proc/self/mountinfo', 'utf8');
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
  const foreign: string[] = [];
  let hasRoot = false;
  for (const line of list.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const place = before.split(' ')[4];
    if (place === undefined) continue;
    hasRoot ||= place === sep;
    if (!localNames.has(after.split(' ')[0] ?? '')) foreign.push(place.replace(/\\([0-7]{3})/g, octal));
  }
  if (!hasRoot) return null;
  return (path) =>
    !foreign.some((place) => path === place || path.startsWith(place.endsWith(sep) ? place : place + sep));
}

/** Blanks and the like in the list of mounts. */
const octal = (_: string, digits: string): string => String.fromCharCode(Number.parseInt(digits, 8));

import { statfs } from 'node:fs/promises';

/**
 * `f_type` of file systems on which another machine, or another kernel, can change a file without this one being told
 * (Linux, `<linux/magic.h>`): nfs, smbfs, cifs, smb2, 9p, afs, ceph, coda, lustre, vboxsf, fuse (sshfs, virtiofs …).
 */
const networkTypes: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x5346414f, 0x00c36400, 0x73757245, 0x0bd00bd0, 0x786f4256,
  0x65735546,
]);

/** Whether events of the operating system cannot be trusted for a file system of this `f_type`. */
export const isNetworkType = (type: number): boolean => networkTypes.has(type >>> 0);

/**
 * Whether the folder lies where native events cannot be trusted. Known on Linux, and for Windows shares by their name;
 * elsewhere false.
 */
export const isNetworkRoot = async (root: string): Promise<boolean> => {
  if (process.platform === 'win32') return root.startsWith('\\\\');
  if (process.platform !== 'linux') return false;
  const { type } = await statfs(root);
  return isNetworkType(type);
};

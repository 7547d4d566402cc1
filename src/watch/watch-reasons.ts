import type { RootSight } from './root-identity.ts';
import { codeOf } from './root-identity.ts';
import type { WatchedTree } from './watched-tree.ts';

/** Why changes are looked for instead of told. */
export type PollingCause = 'limit' | 'network' | 'silent' | 'forced';

/** The sentences of a status for the person. `name` is what the root is called: "data folder". */

/** Why a root that was there, or has something else in its place, is not watched. */
export const lossReason = (name: string, sight: Exclude<RootSight, { state: 'present' }>): string =>
  `${loss(name, sight)} What is in it shows again as soon as it is back.`;

const loss = (name: string, sight: Exclude<RootSight, { state: 'present' }>): string => {
  if (sight.state === 'unknown') return `The ${name} cannot be opened (${codeOf(sight.error)}).`;
  return sight.isFile ? `There is a file where the ${name} should be.` : `The ${name} is not there.`;
};

export const pollingReason = (
  { name, pollingDelay }: Pick<WatchedTree<unknown>, 'name' | 'pollingDelay'>,
  cause: PollingCause,
): string => {
  const causes = {
    limit: `This system's limit on watched folders is reached. Changes by other programs`,
    network: `The ${name} is on a network file system. Changes by other programs`,
    silent: `This system does not report changes in the ${name}. They`,
    forced: 'Changes by other programs',
  } as const;
  return `${causes[cause]} are looked for and show ${pollingDelay}.`;
};

/** @param sweep Ms between two complete looks meanwhile. */
export const faultReason = (name: string, [part, code]: [string, string], count: number, sweep: number): string => {
  const where = part === '' ? `Part of the ${name}` : `“${part}”`;
  const more = count > 1 ? ` and ${count - 1} more` : '';
  const why = code === 'EACCES' || code === 'EPERM' ? 'permission is denied' : code;
  return `${where}${more} cannot be watched: ${why}. Changes there show within about ${sweep / 1000} seconds, if they can be read.`;
};

import { basename } from 'node:path';
import { temporaryOwner } from '../../src/files/index.ts';

const id = '[a-zA-Z0-9._:-]+';
const backup = '\\d+-(?:regular|overwritten|displaced|recovered)(?:-\\d+)?';
const trash = '\\d+-[0-9a-f]{12}';

/** Every path below the data folder that may hold data. */
const places = [
  'projects',
  'memory\\.json',
  '\\.sidekeep',
  '\\.sidekeep/memory\\.json(?:\\.damaged-\\d+)?',
  '\\.sidekeep/trash',
  `\\.sidekeep/trash/${trash}\\.json`,
  `projects/${id}\\.json`,
  `projects/${id}`,
  `projects/${id}/context\\.json`,
  `projects/${id}/context\\.json\\.damaged-\\d+(?:-\\d+)?`,
  `projects/${id}/plans`,
  `projects/${id}/plans/[a-zA-Z0-9._-]+\\.md`,
  `projects/${id}/\\.sidekeep`,
  `projects/${id}/memory(?:\\.merged-\\d+)?\\.json`,
  `projects/${id}/\\.sidekeep/memory\\.json(?:\\.damaged-\\d+)?`,
  `projects/${id}/\\.sidekeep/(?:migration|merge|merge-log)\\.json`,
  `projects/${id}/\\.sidekeep/trash`,
  `projects/${id}/\\.sidekeep/trash/${trash}\\.json`,
  `projects/${id}/\\.sidekeep/trash/${trash}\\.\\d+\\.md`,
  `projects/${id}/\\.sidekeep/backups`,
  `projects/${id}/\\.sidekeep/backups/${backup}\\.json`,
  `projects/${id}/\\.sidekeep/backups/plans`,
  `projects/${id}/\\.sidekeep/backups/plans/[a-zA-Z0-9._-]+`,
  `projects/${id}/\\.sidekeep/backups/plans/[a-zA-Z0-9._-]+/${backup}\\.md`,
].map((place) => new RegExp(`^${place}$`));

/** What a path below the data folder is. */
export function explainPath(path: string): 'data' | 'temporary' | 'unknown' {
  // Also what is left of another program's temp files is ours to sweep one day.
  if (temporaryOwner(basename(path)) !== null) return 'temporary';
  return places.some((place) => place.test(path)) ? 'data' : 'unknown';
}

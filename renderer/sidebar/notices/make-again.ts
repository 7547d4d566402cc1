import { makeChange } from '../../state/changes.ts';
import type { Sidekeep } from '../../state/sidekeep.ts';
import { texts } from '../strings.ts';

/**
 * Makes the changes again that another program took back, deletions included, and says how many; the notice goes.
 * @param hasVersion whether an earlier version is there to take what is missing from
 * @returns false when those changes are no longer known one by one, and the earlier version has to stand in for them
 */
export async function makeAgain(
  sidekeep: Sidekeep,
  projectId: string,
  noticeId: string,
  hasVersion: boolean,
): Promise<boolean> {
  const result = await makeChange(sidekeep, {
    projectId,
    subject: `notice:${noticeId}`,
    call: () => sidekeep.client.context.bringBack({ projectId, noticeId }),
    handled: () => true,
  });
  if (!result.ok && result.error.code === 'not-found' && hasVersion) return false;
  const { madeAgain, failed } = texts.notices;
  sidekeep.toasts.show(result.ok ? madeAgain(result.value.changes) : failed(result.error.message));
  return true;
}

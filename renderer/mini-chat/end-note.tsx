import { clockTime } from '../ui/time.ts';
import { texts } from './strings.ts';

/** Below the person's last message: that it is on the disk, and that nobody answers it. */
export function EndNote({ at }: { at: number | null }) {
  const { recorded, noAgent } = texts.session.transcript;
  return (
    <p className="end-note">
      {at === null || at === 0 ? null : `${recorded(clockTime(at))} `}
      {noAgent}
    </p>
  );
}

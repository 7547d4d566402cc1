import { clockTime } from '../ui/time.ts';
import { texts } from './strings.ts';

/** Below the person's last message: that it is on the disk, and that nobody answers it. The time may be 0, not known. */
export function EndNote({ at }: { at: number }) {
  const { recorded, noAgent } = texts.session.transcript;
  return (
    <p className="end-note">
      {at === 0 ? null : `${recorded(clockTime(at))} `}
      {noAgent}
    </p>
  );
}

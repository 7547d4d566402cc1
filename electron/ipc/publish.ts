import type { WebContents } from 'electron';
import { channelOf, checkEvent, events, type Publish, type Report, type Role } from '../../src/contract/index.ts';

/** The windows that are open now. */
export type OpenWindows = () => Iterable<{ readonly role: Role; readonly contents: WebContents }>;

/** Makes the function that pushes events: validated once, sent to every open window whose role receives them. */
export function createPublish(openWindows: OpenWindows, report: Report): Publish {
  return (name, payload) => {
    const checked = checkEvent(name, payload, report);
    if (checked === null) return;
    const receivers = events.get(name)?.roles ?? [];
    for (const { role, contents } of openWindows()) {
      if (!receivers.includes(role) || contents.isDestroyed() || contents.isCrashed()) continue;
      try {
        contents.send(channelOf(name), checked);
      } catch (error) {
        // A window may go away between the check and the send; it asks for everything when it is back.
        if (!contents.isDestroyed()) report(`pushing ${name}`, error);
      }
    }
  };
}

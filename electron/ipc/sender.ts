import type { IpcMainInvokeEvent, WebFrameMain } from 'electron';
import type { Role } from '../../src/contract/index.ts';
import { ORIGIN } from '../protocol.ts';

/** A window of ours, as the sender check knows it. */
export interface KnownWindow {
  readonly role: Role;
  /** Aborted when the window closes, reloads or crashes. */
  readonly signal: AbortSignal;
}

/** Finds a window of ours by the id of its contents. */
export type FindWindow = (contentsId: number) => KnownWindow | undefined;

/**
 * Who sent this, or null when it must not be served. Fails closed: the frame has to be there, be the main frame of a
 * window that we opened, and stand on exactly our origin. Has to run before any await: the frame is gone after a
 * navigation.
 */
export function checkSender(
  event: Pick<IpcMainInvokeEvent, 'senderFrame' | 'sender'>,
  findWindow: FindWindow,
): KnownWindow | null {
  const frame: WebFrameMain | null = event.senderFrame;
  if (!frame || frame.parent !== null) return null;
  if (frame.origin !== ORIGIN || !frame.url.startsWith(`${ORIGIN}/`)) return null;
  return findWindow(event.sender.id) ?? null;
}

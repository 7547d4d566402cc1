import { quietly } from './runtime.ts';
import { closeTarget } from './targets.ts';
import type { WebContents } from './web-contents.ts';

/** Chromium drops a request to close when a navigation commits at the same moment; after this it is closed without one. */
const patienceInMilliseconds = 1000;

/** Closes a page as a person would, `beforeunload` included. True when it went away, false when the page kept itself. */
export async function closePage(contents: WebContents): Promise<boolean> {
  const { _session: session, _targetId: targetId } = contents;
  if (contents.isCrashed()) {
    contents._gone();
    await closeTarget(targetId);
    return true;
  }
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let asked = false;
  const asks = (): void => {
    asked = true;
  };
  const answered = ({ result }: { result: boolean }): void => {
    if (!result) resolve(false);
  };
  const gone = (): void => resolve(true);
  session.on('Page.javascriptDialogOpening', asks);
  session.on('Page.javascriptDialogClosed', answered);
  contents.once('destroyed', gone);
  void quietly(session.send('Page.close'));
  const timer = setTimeout(() => {
    if (!asked) void closeTarget(targetId);
  }, patienceInMilliseconds);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    session.off('Page.javascriptDialogOpening', asks);
    session.off('Page.javascriptDialogClosed', answered);
    contents.off('destroyed', gone);
  }
}

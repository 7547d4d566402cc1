import type { CdpSession, Protocol } from './cdp.ts';
import { hostEvent } from './runtime.ts';
import { schemes } from './schemes.ts';
import type { WebContents } from './web-contents.ts';

type Level = Electron.WebContentsConsoleMessageEventParams['level'];

/** `console-message`: what pages log, errors they do not catch, and what Chromium itself notes (a CSP violation). */
export function watchConsole(contents: WebContents, session: CdpSession): void {
  function tell(level: Level, message: string, lineNumber: number, url: string): void {
    const sourceId = schemes.fromPage(url);
    const event = hostEvent({ message, level, lineNumber, sourceId, frame: contents.mainFrame });
    const levels: Level[] = ['debug', 'info', 'warning', 'error'];
    contents.emit('console-message', event, levels.indexOf(level), message, lineNumber, sourceId);
  }

  session.onEvent('Runtime.consoleAPICalled', ({ type, args, stackTrace }) => {
    const place = stackTrace?.callFrames[0];
    tell(levelOf(type), args.map(textOf).join(' '), (place?.lineNumber ?? 0) + 1, place?.url ?? '');
  });
  session.onEvent('Runtime.exceptionThrown', ({ exceptionDetails: details }) => {
    const text = details.exception?.description?.split('\n')[0] ?? details.text;
    tell('error', `Uncaught ${text}`, details.lineNumber + 1, details.url ?? '');
  });
  session.onEvent('Log.entryAdded', ({ entry }) => {
    const level = entry.level === 'verbose' ? 'debug' : entry.level;
    tell(level, entry.text, (entry.lineNumber ?? 0) + 1, entry.url ?? '');
  });
}

function levelOf(type: Protocol.Runtime.consoleAPICalledPayload['type']): Level {
  if (type === 'warning' || type === 'error' || type === 'debug') return type;
  return type === 'assert' ? 'error' : 'info';
}

function textOf(value: Protocol.Runtime.RemoteObject): string {
  if (value.type === 'string') return String(value.value);
  return value.unserializableValue ?? value.description ?? String(value.value);
}

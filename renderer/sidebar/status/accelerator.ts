/** What has to be known of a key press. */
export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const named: Readonly<Record<string, string>> = {
  Space: 'Space',
  Tab: 'Tab',
  Enter: 'Return',
  Backspace: 'Backspace',
  Delete: 'Delete',
  Insert: 'Insert',
  Home: 'Home',
  End: 'End',
  PageUp: 'PageUp',
  PageDown: 'PageDown',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Minus: '-',
  Equal: '=',
  Comma: ',',
  Period: '.',
  Slash: '/',
  Backquote: '`',
  Semicolon: ';',
  Quote: "'",
  BracketLeft: '[',
  BracketRight: ']',
  Backslash: '\\',
};

/** Editing keys that must keep their meaning in the field that records. */
const editing = [
  'KeyA',
  'KeyC',
  'KeyV',
  'KeyX',
  'KeyZ',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'Backspace',
  'Delete',
];

/**
 * The accelerator of a key press in Electron's notation; null when it is no shortcut: a bare key, Shift with a key, a
 * modifier alone, or a key that edits the field itself.
 */
export function acceleratorOf(press: KeyPress): string | null {
  const key = keyName(press.code);
  if (key === null) return null;
  const command = press.ctrlKey || press.metaKey;
  const isFunctionKey = /^F\d+$/.test(key);
  if (!command && !press.altKey && !isFunctionKey) return null;
  if (command && !press.altKey && !press.shiftKey && editing.includes(press.code)) return null;
  const parts = [command ? 'CommandOrControl' : '', press.altKey ? 'Alt' : '', press.shiftKey ? 'Shift' : '', key];
  return parts.filter(Boolean).join('+');
}

function keyName(code: string): string | null {
  const letter = /^Key([A-Z])$/.exec(code)?.[1] ?? /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  if (letter) return letter;
  return /^F\d{1,2}$/.test(code) ? code : (named[code] ?? null);
}

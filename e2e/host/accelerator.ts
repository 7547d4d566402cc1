const modifiers: Record<string, string> = {
  command: 'Meta',
  cmd: 'Meta',
  control: 'Control',
  ctrl: 'Control',
  commandorcontrol: process.platform === 'darwin' ? 'Meta' : 'Control',
  cmdorctrl: process.platform === 'darwin' ? 'Meta' : 'Control',
  alt: 'Alt',
  option: 'Alt',
  altgr: 'AltGr',
  shift: 'Shift',
  super: 'Meta',
  meta: 'Meta',
};

const namedKeys =
  /^(f([1-9]|1\d|2[0-4])|plus|space|tab|capslock|numlock|scrolllock|backspace|delete|insert|return|enter|up|down|left|right|home|end|pageup|pagedown|escape|esc|volumeup|volumedown|volumemute|medianexttrack|mediaprevioustrack|mediastop|mediaplaypause|printscreen|num[0-9]|numdec|numadd|numsub|nummult|numdiv)$/;

/**
 * One spelling for all accelerators that mean the same keys, by Electron's documented grammar.
 *
 * @throws TypeError for one that Electron could not convert.
 */
export function normalizedAccelerator(accelerator: string): string {
  if (typeof accelerator !== 'string' || /[^\x20-\x7e]/.test(accelerator)) throw invalid(accelerator);
  const parts = accelerator.split('+').map((part) => part.trim());
  const held = new Set<string>();
  let key: string | undefined;
  for (const part of parts) {
    const modifier = modifiers[part.toLowerCase()];
    if (modifier) held.add(modifier);
    else if (key === undefined && isKey(part)) key = part.toLowerCase();
    else throw invalid(accelerator);
  }
  if (key === undefined) throw invalid(accelerator);
  return [...[...held].sort(), key].join('+');
}

function isKey(part: string): boolean {
  return part.length === 1 || namedKeys.test(part.toLowerCase());
}

function invalid(accelerator: unknown): TypeError {
  return new TypeError(`Error processing argument at index 0, conversion failure from ${String(accelerator)}`);
}

import { useSettings } from '../state/hooks.ts';
import { useMemoryEnabled } from '../state/memory-hooks.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { acceleratorLabel, shortcutLabel } from '../ui/keys.ts';
import { strings } from '../ui/strings.ts';
import { memoryTexts } from './memory/strings.ts';
import { sessionTexts } from './sessions/strings.ts';
import { helpOpen } from './shortcuts.ts';

type Row = readonly [text: string, ...keys: string[]];

/** The help of keyboard shortcuts. */
export function HelpDialog() {
  const isOpen = useStore(helpOpen);
  const hasMemory = useMemoryEnabled();
  const shortcut = useSettings().value?.miniChat.shortcut ?? '';
  const { help } = strings;
  const key = shortcutLabel;
  const groups: Record<keyof typeof help.groups, Row[]> = {
    everywhere: [
      [help.sections, key('mod+1'), key('mod+2'), key('mod+3')],
      ...(hasMemory ? [[memoryTexts.help, key('mod+4')] as const] : []),
      [help.compose, key('mod+N')],
      [help.search, key('mod+F'), '/'],
      [help.filter, key('mod+K')],
      [help.undo, key('mod+Z')],
      [help.deleted, key('mod+shift+D')],
      [help.help, '?'],
      ...(shortcut === '' ? [] : [[help.miniChat, acceleratorLabel(shortcut)] as const]),
    ],
    projects: [
      [help.move, '↑', '↓'],
      [help.open, 'Enter'],
      [help.rename, 'F2'],
      [sessionTexts.help.fold, '←', '→'],
      [sessionTexts.help.remove, 'Delete'],
      [sessionTexts.help.find, key('mod+F')],
    ],
    notes: [
      [help.saveNote, key('mod+Enter')],
      [help.restore, 'Escape'],
    ],
    todos: [
      [help.tick, 'Space'],
      [help.edit, 'Enter', 'F2'],
      [help.remove, 'Delete'],
      [help.moveTodo, key('alt+up'), key('alt+down')],
      [help.moveTodoFar, key('alt+shift+up'), key('alt+shift+down')],
    ],
    plans: [[help.savePlan, key('mod+S')]],
  };
  const close = () => helpOpen.set(false);
  return (
    <Dialog title={help.title} isOpen={isOpen} onClose={close}>
      <div className="help">
        {Object.entries(groups).map(([group, rows]) => (
          <section key={group} className="help-group" aria-labelledby={`help-${group}`}>
            <h3 id={`help-${group}`}>{help.groups[group as keyof typeof help.groups]}</h3>
            <dl>
              {rows.map(([text, ...keys]) => (
                <div key={text} className="help-row">
                  <dt>{text}</dt>
                  <dd>
                    {keys.map((label) => (
                      <kbd key={label}>{label}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="dialog-actions">
        <Button onPress={close}>{strings.common.close}</Button>
      </div>
    </Dialog>
  );
}

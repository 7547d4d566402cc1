import { useSettings } from '../state/hooks.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { acceleratorLabel, shortcutLabel } from '../ui/keys.ts';
import { strings } from '../ui/strings.ts';
import { commands } from './commands.ts';
import { useMiniChat } from './mini-chat-state.ts';
import { texts } from './strings.ts';

type Row = readonly [text: string, ...keys: string[]];

/** The commands and the keys of this window. */
export function HelpDialog() {
  const { open, setOpen } = useMiniChat();
  const shortcut = useSettings().value?.miniChat.shortcut ?? '';
  const { help } = texts;
  const key = shortcutLabel;
  const close = () => setOpen(null);
  return (
    <Dialog title={help.title} isOpen={open === 'help'} onClose={close}>
      <HelpGroup
        id="commands"
        title={help.commands}
        rows={[
          ...commands.map((command): Row => [texts.composer.commandHint[command], `/${command}`]),
          [help.escaped, '//todo'],
        ]}
      />
      <HelpGroup
        id="keys"
        title={help.keys}
        rows={[
          [help.record, 'Enter'],
          [help.newLine, key('shift+Enter')],
          [help.modes, key('mod+1'), key('mod+2'), key('mod+3'), key('mod+4')],
          [help.place, key('mod+K')],
          [help.session, key('mod+J')],
          [help.freshSession, key('mod+shift+J')],
          [help.find, key('mod+F')],
          [help.findEverywhere, key('mod+shift+F')],
          [help.sidebar, key('mod+O')],
          [help.undo, key('mod+Z')],
          [help.hide, 'Escape'],
          [help.help, '?'],
          ...(shortcut === '' ? [] : [[help.toggle, acceleratorLabel(shortcut)] as const]),
        ]}
      />
      <HelpGroup
        id="list"
        title={help.inList}
        rows={[
          [help.open, 'Enter'],
          [help.tick, 'Space'],
          [help.remove, 'Delete'],
        ]}
        note={help.ticked}
      />
      <HelpGroup
        id="messages"
        title={help.inTranscript}
        rows={[
          [help.ends, 'Home', 'End'],
          [help.selection, key('mod+E')],
        ]}
      />
      <div className="dialog-actions">
        <Button onPress={close}>{strings.common.close}</Button>
      </div>
    </Dialog>
  );
}

interface HelpGroupProps {
  id: string;
  title: string;
  rows: readonly Row[];
  note?: string;
}

function HelpGroup({ id, title, rows, note }: HelpGroupProps) {
  return (
    <section className="mini-help" aria-labelledby={`help-${id}`}>
      <h3 id={`help-${id}`}>{title}</h3>
      <dl>
        {rows.map(([text, ...keys]) => (
          <div key={text} className="mini-help-row">
            <dt>{text}</dt>
            <dd>
              {keys.map((label) => (
                <kbd key={label}>{label}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {note ? <p className="soft small">{note}</p> : null}
    </section>
  );
}

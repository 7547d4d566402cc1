import { useMemo } from 'react';
import { type DiffLine, lineDifferences } from '../state/text-differences.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { strings } from '../ui/strings.ts';
import { UserText } from '../ui/user-text.tsx';

/** Both texts side by side, with the lines marked that only one of them has. */
export function CompareDialog(props: { isOpen: boolean; onClose: () => void; mine: string; theirs: string }) {
  const { isOpen, onClose, mine, theirs } = props;
  return (
    <Dialog title={strings.conflict.compareTitle} isOpen={isOpen} onClose={onClose} wide>
      {isOpen ? (
        <BothTexts
          first={{ title: strings.conflict.mine, text: mine, mark: '+' }}
          second={{ title: strings.conflict.theirs, text: theirs, mark: '−' }}
        />
      ) : null}
      <div className="dialog-actions">
        <Button onPress={onClose}>{strings.common.close}</Button>
      </div>
    </Dialog>
  );
}

interface NamedText {
  readonly title: string;
  readonly text: string;
  /** Stands in front of a line that only this text has. */
  readonly mark: string;
}

/** Two texts side by side, or one below the other where it is narrow, with the lines marked that only one of them has. */
export function BothTexts({ first, second }: { first: NamedText; second: NamedText }) {
  const differences = useMemo(() => lineDifferences(first.text, second.text), [first.text, second.text]);
  return (
    <div className="texts">
      <Side title={first.title} lines={differences.mine} mark={first.mark} />
      <Side title={second.title} lines={differences.theirs} mark={second.mark} />
    </div>
  );
}

function Side({ title, lines, mark }: { title: string; lines: readonly DiffLine[]; mark: string }) {
  return (
    <div className="text-side">
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls has to be reached by the keyboard */}
      <section className="text-lines" tabIndex={0} aria-label={title}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text that does not change while it is shown
          <div key={index} className={line.differs ? 'text-line text-line-differs' : 'text-line'}>
            <span aria-hidden="true">{line.differs ? mark : ' '}</span>
            {line.text === '' ? <span>&nbsp;</span> : <UserText text={line.text} as="block" />}
          </div>
        ))}
      </section>
    </div>
  );
}

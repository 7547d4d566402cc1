import './knowledge.css';
import { Info } from 'lucide-react';
import { useState } from 'react';
import type { SessionRow } from '../../../src/contract/index.ts';
import { useOwed } from '../../state/knowledge-hooks.ts';
import { Button } from '../button.tsx';
import { knowledgeTexts as texts } from './strings.ts';
import { ToldDialog } from './told-dialog.tsx';

/** Beside the composer: what goes with the next message; nothing while nothing does. */
export function ToldLine({ row }: { row: SessionRow }) {
  const owed = useOwed(row).value;
  const [isOpen, setOpen] = useState(false);
  const said =
    owed === null
      ? null
      : [
          owed.reason === null ? null : texts.line(owed.block.parts),
          owed.block.leftOut.length === 0 ? null : texts.lineLeftOut(owed.block.leftOut.length),
        ]
          .filter((sentence) => sentence !== null)
          .join(' ');
  return (
    <>
      {said === null || said === '' ? null : (
        <div className="told-line">
          <Info className="told-line-icon" size={13} aria-hidden="true" />
          <span className="told-line-text">{said}</span>
          <Button small kind="quiet" aria-label={`${texts.show}: ${texts.open}`} onPress={() => setOpen(true)}>
            {texts.show}
          </Button>
        </div>
      )}
      {isOpen ? <ToldDialog row={row} readOnly={null} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

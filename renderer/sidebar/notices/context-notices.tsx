import { Info } from 'lucide-react';
import { useState } from 'react';
import type { ContextSnapshot } from '../../../src/contract/index.ts';
import { Button } from '../../ui/button.tsx';
import type { Owner } from '../open-dialog.ts';
import { texts } from '../strings.ts';
import { Notice } from './notice.tsx';

/** What happened to a context and has to be known: one line, with several behind it when there are several. */
export function ContextNotices({ owner, view }: { owner: Owner; view: ContextSnapshot }) {
  const [isOpen, setOpen] = useState(false);
  const { notices } = view;
  const [first] = notices;
  if (first === undefined) return null;
  return (
    <section className="notices" aria-label={texts.notices.label} role="status">
      {notices.length === 1 ? (
        <div className="notice">
          <Info size={16} aria-hidden="true" />
          <Notice owner={owner} view={view} notice={first} />
        </div>
      ) : (
        <>
          <div className="notice">
            <Info size={16} aria-hidden="true" />
            <p className="notice-text">{texts.notices.several(notices.length)}</p>
            <Button small aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
              {isOpen ? texts.notices.hide : texts.notices.show}
            </Button>
          </div>
          {isOpen ? (
            <ul className="notice-list">
              {notices.map((notice) => (
                <li key={notice.id} className="notice">
                  <Notice owner={owner} view={view} notice={notice} />
                </li>
              ))}
            </ul>
          ) : null}
        </>
      )}
    </section>
  );
}

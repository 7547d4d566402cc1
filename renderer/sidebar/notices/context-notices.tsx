import { Info } from 'lucide-react';
import { useState } from 'react';
import type { ContextSnapshot } from '../../../src/contract/index.ts';
import { Button } from '../../ui/button.tsx';
import type { Owner } from '../open-dialog.ts';
import { texts } from '../strings.ts';
import { firstNotice } from './first-notice.ts';
import { Notice } from './notice.tsx';

/** What happened to a context and has to be known: one of it in the open, and the others behind it. */
export function ContextNotices({ owner, view }: { owner: Owner; view: ContextSnapshot }) {
  const [isOpen, setOpen] = useState(false);
  const first = firstNotice(view.notices);
  if (first === null) return null;
  const others = view.notices.filter(({ id }) => id !== first.id);
  return (
    <section className="notices" aria-label={texts.notices.label} role="status">
      <div className="notice">
        <Info size={16} aria-hidden="true" />
        <Notice key={first.id} owner={owner} view={view} notice={first} />
        {others.length > 0 ? (
          <Button small kind="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
            {isOpen ? texts.notices.hide : texts.notices.more(others.length)}
          </Button>
        ) : null}
      </div>
      {isOpen && others.length > 0 ? (
        <ul className="notice-list">
          {others.map((notice) => (
            <li key={notice.id} className="notice">
              <Notice owner={owner} view={view} notice={notice} />
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

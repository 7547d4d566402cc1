import { ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';

/** A part that is shown on request; its content is not there before. */
export function Folded({
  summary,
  isOpen,
  children,
}: {
  summary: ReactNode;
  /** Opens it, as when something was found in it. The person may still close it. */
  isOpen: boolean;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(isOpen);
  useEffect(() => {
    if (isOpen) setOpen(true);
  }, [isOpen]);
  return (
    <details className="folded" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="folded-summary">
        <ChevronRight size={14} aria-hidden="true" />
        <span className="folded-label">{summary}</span>
      </summary>
      {open ? <div className="folded-body">{children}</div> : null}
    </details>
  );
}

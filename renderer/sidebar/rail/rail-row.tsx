import { ChevronRight, type LucideIcon } from 'lucide-react';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { Button, TooltipTrigger } from 'react-aria-components';
import { Tip } from '../../ui/tooltip.tsx';
import { UserText } from '../../ui/user-text.tsx';

export interface RailRowProps {
  isCurrent: boolean;
  /** Whether a session of it is what is shown. */
  holdsCurrent?: boolean;
  icon: LucideIcon;
  label: string;
  /** Full path, or what the row stands for. */
  hint: string;
  onOpen: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  onContextMenu?: (event: { preventDefault(): void }) => void;
  /** Shown instead of the label, such as a field to rename it. */
  editor?: ReactNode;
  actions?: ReactNode;
  badge?: string | null;
  /** What is going on, for the eye only; shown once it has taken a moment. */
  note?: string | null;
  /** The sessions below the row. */
  expander?: { label: string; isOpen: boolean; onToggle: (open: boolean) => void; content: ReactNode };
  ref?: Ref<HTMLLIElement>;
}

/** A row of the rail. Only the current one is in the order of tabs; arrow keys reach the others. */
export function RailRow(props: RailRowProps) {
  const { isCurrent, holdsCurrent = false, icon: Icon, label, hint, expander } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    const open = { ArrowRight: true, ArrowLeft: false }[event.key];
    if (expander && open !== undefined && !(event.target instanceof HTMLInputElement) && open !== expander.isOpen) {
      event.preventDefault();
      expander.onToggle(open);
    } else props.onKeyDown?.(event);
  };
  return (
    <li ref={props.ref}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the button inside; nothing here is pressed itself */}
      <div
        className={isCurrent ? 'rail-row rail-row-current' : holdsCurrent ? 'rail-row rail-row-holds' : 'rail-row'}
        onKeyDown={onKeyDown}
        onContextMenu={props.onContextMenu}
      >
        {expander ? (
          <Button
            className="rail-expander"
            aria-label={expander.label}
            aria-expanded={expander.isOpen}
            excludeFromTabOrder
            onPress={() => expander.onToggle(!expander.isOpen)}
          >
            <ChevronRight size={14} aria-hidden="true" />
          </Button>
        ) : null}
        {props.editor ?? (
          <TooltipTrigger delay={700} closeDelay={0}>
            <Button
              className="rail-row-button"
              {...(isCurrent ? { 'aria-current': 'page' } : {})}
              excludeFromTabOrder={!isCurrent && !holdsCurrent}
              onPress={props.onOpen}
            >
              <Icon size={16} aria-hidden="true" />
              <span className="rail-row-label">
                <UserText text={label} as="one-line" />
              </span>
              {props.note ? (
                <span className="rail-row-badge rail-row-note" aria-hidden="true">
                  {props.note}
                </span>
              ) : null}
              {props.badge ? <span className="rail-row-badge">{props.badge}</span> : null}
            </Button>
            <Tip text={hint} />
          </TooltipTrigger>
        )}
        {props.actions}
      </div>
      {expander?.isOpen ? <div className="rail-sessions">{expander.content}</div> : null}
    </li>
  );
}

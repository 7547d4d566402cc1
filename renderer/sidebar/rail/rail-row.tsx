import type { LucideIcon } from 'lucide-react';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { Button, TooltipTrigger } from 'react-aria-components';
import { Tip } from '../../ui/tooltip.tsx';
import { UserText } from '../../ui/user-text.tsx';

export interface RailRowProps {
  isCurrent: boolean;
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
  ref?: Ref<HTMLLIElement>;
}

/** A row of the rail. Only the current one is in the order of tabs; arrow keys reach the others. */
export function RailRow(props: RailRowProps) {
  const { isCurrent, icon: Icon, label, hint } = props;
  return (
    <li
      ref={props.ref}
      className={isCurrent ? 'rail-row rail-row-current' : 'rail-row'}
      onKeyDown={props.onKeyDown}
      onContextMenu={props.onContextMenu}
    >
      {props.editor ?? (
        <TooltipTrigger delay={700} closeDelay={0}>
          <Button
            className="rail-row-button"
            {...(isCurrent ? { 'aria-current': 'page' } : {})}
            excludeFromTabOrder={!isCurrent}
            onPress={props.onOpen}
          >
            <Icon size={16} aria-hidden="true" />
            <span className="rail-row-label">
              <UserText text={label} as="one-line" />
            </span>
            {props.badge ? <span className="rail-row-badge">{props.badge}</span> : null}
          </Button>
          <Tip text={hint} />
        </TooltipTrigger>
      )}
      {props.actions}
    </li>
  );
}

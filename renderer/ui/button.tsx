import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  ToggleButton,
  TooltipTrigger,
} from 'react-aria-components';
import { Tip } from './tooltip.tsx';

type Base = Omit<AriaButtonProps, 'className' | 'children' | 'style'>;

export interface ButtonProps extends Base {
  kind?: 'normal' | 'primary' | 'quiet' | 'danger';
  small?: boolean;
  children: ReactNode;
}

/** A button with a text; an icon may stand in front of it. */
export function Button({ kind = 'normal', small = false, children, ...props }: ButtonProps) {
  const classes = ['button', kind === 'normal' ? '' : `button-${kind}`, small ? 'button-small' : ''];
  return (
    <AriaButton {...props} className={classes.filter(Boolean).join(' ')}>
      {children}
    </AriaButton>
  );
}

export interface IconButtonProps extends Base {
  /** Accessible name, shown as a tooltip. */
  label: string;
  /** Shortcut shown in the tooltip, as the person would read it. */
  shortcut?: string;
  /** Longer text of the tooltip, when the name alone says too little. */
  hint?: string;
  children: ReactNode;
}

/** A square button with an icon and a tooltip. */
export function IconButton({ label, shortcut, hint, children, ...props }: IconButtonProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      <AriaButton {...props} aria-label={label} className="icon-button">
        {children}
      </AriaButton>
      <Tip text={hint ?? label} {...(shortcut ? { shortcut } : {})} />
    </TooltipTrigger>
  );
}

/** An icon button that is on or off. The name stays the same in both states. */
export function IconToggle({
  label,
  hint,
  isSelected,
  onChange,
  children,
}: {
  label: string;
  hint?: string;
  isSelected: boolean;
  onChange: (selected: boolean) => void;
  children: ReactNode;
}) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      <ToggleButton aria-label={label} className="icon-button" isSelected={isSelected} onChange={onChange}>
        {children}
      </ToggleButton>
      <Tip text={hint ?? label} />
    </TooltipTrigger>
  );
}

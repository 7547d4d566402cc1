import { Tooltip } from 'react-aria-components';

/** The tooltip of a trigger; use it inside `TooltipTrigger`. */
export function Tip({ text, shortcut }: { text: string; shortcut?: string }) {
  return (
    <Tooltip className="tooltip" offset={6}>
      <bdi>{text}</bdi>
      {shortcut ? <kbd>{shortcut}</kbd> : null}
    </Tooltip>
  );
}

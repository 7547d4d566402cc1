import { Pin } from 'lucide-react';
import type { PinKind } from '../../../src/contract/index.ts';
import { IconToggle } from '../button.tsx';
import { useSessionPins } from './pins-context.tsx';
import { knowledgeTexts as texts } from './strings.ts';

/** Pins a note or a plan for the session at hand; nothing where there is none. */
export function PinToggle({ kind, id }: { kind: PinKind; id: string }) {
  const pins = useSessionPins();
  if (pins === null) return null;
  const isPinned = pins.isPinned(kind, id);
  return (
    <IconToggle
      label={texts.pinTo(pins.title)}
      hint={isPinned ? texts.unpinFrom(pins.title) : texts.pinTo(pins.title)}
      isSelected={isPinned}
      onChange={() => pins.toggle(kind, id)}
    >
      <Pin size={15} aria-hidden="true" {...(isPinned ? { fill: 'currentColor' } : {})} />
    </IconToggle>
  );
}

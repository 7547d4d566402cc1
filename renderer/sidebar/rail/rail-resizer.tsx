import { type KeyboardEvent, type PointerEvent, useEffect } from 'react';
import { useSidekeep } from '../../state/hooks.ts';
import { Store, useStore } from '../../state/store.ts';
import { strings } from '../../ui/strings.ts';

const MINIMUM = 160;
const MAXIMUM = 600;
const STEP = 16;

const clamp = (width: number): number => Math.round(Math.min(MAXIMUM, Math.max(MINIMUM, width)));

/** The width while it is being changed, in CSS pixels; null: the one in the settings. */
const draggedWidth = new Store<number | null>(null);

/** The width of the rail at this moment. */
export const useRailWidth = (width: number): number => useStore(draggedWidth) ?? width;

/** The line between rail and main area: drag it, or move it with the arrow keys. The width is remembered. */
export function RailResizer({ width }: { width: number }) {
  const { client, shared } = useSidekeep();
  const shown = useRailWidth(width);
  // The settings have caught up with what was dragged.
  useEffect(() => {
    if (draggedWidth.get() === width) draggedWidth.set(null);
  }, [width]);

  const remember = () => {
    const dragged = draggedWidth.get();
    if (dragged === null || dragged === width) return draggedWidth.set(null);
    void client.settings.update({ sidebar: { width: dragged } }).then((result) => {
      // Not remembered: the width stays for this window.
      if (result.ok) shared.accept('settings', result.value);
    });
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    const start = event.clientX - shown;
    const element = event.currentTarget;
    const onMove = (move: globalThis.PointerEvent) => draggedWidth.set(clamp(move.clientX - start));
    const onEnd = () => {
      element.removeEventListener('pointermove', onMove);
      element.removeEventListener('lostpointercapture', onEnd);
      remember();
    };
    element.addEventListener('pointermove', onMove);
    element.addEventListener('lostpointercapture', onEnd);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP, Home: -MAXIMUM, End: MAXIMUM }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    draggedWidth.set(clamp(shown + step));
    remember();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr cannot be moved; this is the window-splitter pattern
    <div
      role="separator"
      className="rail-resizer"
      aria-orientation="vertical"
      aria-label={strings.rail.resize}
      aria-valuemin={MINIMUM}
      aria-valuemax={MAXIMUM}
      aria-valuenow={shown}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}

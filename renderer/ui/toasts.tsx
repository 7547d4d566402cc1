import { X } from 'lucide-react';
import { useSidekeep } from '../state/hooks.ts';
import { useStore } from '../state/store.ts';
import { newestUndo, TOAST_MS } from '../state/toasts.ts';
import { Button, IconButton } from './button.tsx';
import { shortcutLabel } from './keys.ts';
import { strings } from './strings.ts';

/** The toasts of this window: a polite live region, never given focus. Their time stands still under pointer and focus. */
export function Toasts() {
  const { toasts } = useSidekeep();
  const shown = useStore(toasts);
  const newest = newestUndo(shown);
  const hold = { onPointerEnter: () => toasts.pause('pointer'), onPointerLeave: () => toasts.resume('pointer') };
  return (
    <section
      className="toasts"
      aria-label={strings.common.messages}
      aria-live="polite"
      aria-relevant="additions"
      {...hold}
      onFocus={() => toasts.pause('keyboard')}
      onBlur={() => toasts.resume('keyboard')}
    >
      {shown.map((toast) => (
        <div key={toast.id} className="toast">
          <span className="toast-message">{toast.message}</span>
          {toast.action ? (
            <Button
              small
              {...(toast === newest ? { 'aria-keyshortcuts': 'Control+Z' } : {})}
              onPress={() => toasts.act(toast.id)}
            >
              {toast.action.label}
              {toast === newest ? (
                <span className="toast-key" aria-hidden="true">
                  {shortcutLabel('mod+Z')}
                </span>
              ) : null}
            </Button>
          ) : null}
          <IconButton label={strings.common.dismiss} onPress={() => toasts.close(toast.id)}>
            <X size={14} aria-hidden="true" />
          </IconButton>
          {toast.action ? (
            <span className="toast-time" aria-hidden="true" style={{ animationDuration: `${TOAST_MS}ms` }} />
          ) : null}
        </div>
      ))}
    </section>
  );
}

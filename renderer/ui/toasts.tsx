import { X } from 'lucide-react';
import { useSidekeep } from '../state/hooks.ts';
import { useStore } from '../state/store.ts';
import { Button, IconButton } from './button.tsx';
import { strings } from './strings.ts';

/** The toasts of this window: a polite live region, never given focus. Their time stands still under pointer and focus. */
export function Toasts() {
  const { toasts } = useSidekeep();
  const shown = useStore(toasts);
  const hold = { onPointerEnter: () => toasts.pause(), onPointerLeave: () => toasts.resume() };
  return (
    <section
      className="toasts"
      aria-label={strings.common.messages}
      aria-live="polite"
      aria-relevant="additions"
      {...hold}
      onFocus={() => toasts.pause()}
      onBlur={() => toasts.resume()}
    >
      {shown.map((toast) => (
        <div key={toast.id} className="toast">
          <span>{toast.message}</span>
          {toast.action ? (
            <Button small onPress={() => toasts.act(toast.id)}>
              {toast.action.label}
            </Button>
          ) : null}
          <IconButton label={strings.common.dismiss} onPress={() => toasts.close(toast.id)}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
    </section>
  );
}

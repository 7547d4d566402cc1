import { Store, useStore } from '../state/store.ts';

const message = new Store<{ text: string; turn: number }>({ text: '', turn: 0 });

/** Tells a screen reader something that is seen anyway, such as where a todo went. Never moves focus. */
export function announce(text: string): void {
  message.update(({ turn }) => ({ text, turn: turn + 1 }));
}

/** The live region behind {@link announce}; one in each window. */
export function Announcer() {
  const { text, turn } = useStore(message);
  return (
    // With this attribute React Aria leaves it within reach of screen readers while a dialog is open.
    <div className="visually-hidden" role="status" data-live-announcer="true">
      {/* The same words twice are two messages: a new element each time. */}
      <span key={turn}>{text}</span>
    </div>
  );
}

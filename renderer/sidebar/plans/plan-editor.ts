import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands';
import { markdown } from '@codemirror/lang-markdown';
import { syntaxHighlighting } from '@codemirror/language';
import { Annotation, Compartment, EditorState, type Extension, Text, type TransactionSpec } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars, keymap } from '@codemirror/view';
import { bodyStart } from '../../state/plan-body.ts';
import type { PlanText } from '../../state/plan-view.ts';
import { textChanges } from '../../state/text-differences.ts';
import { highlighting, theme } from './plan-theme.ts';

/** Marks text that did not come from the person. */
const fromOutside = Annotation.define<true>();

/** What the editor tells. */
export interface PlanEditorEvents {
  edited(): void;
  compositionEnded(): void;
  save(): void;
}

/**
 * The text of one plan in CodeMirror. It outlives its place on the screen, with its undo history, cursor and scroll, so
 * that no undo leads from one plan into another. It shows itself in a shadow root, where CodeMirror's styles are adopted
 * style sheets, which the content security policy allows.
 */
export class PlanEditor implements PlanText {
  readonly #events: PlanEditorEvents;
  readonly #locked = new Compartment();
  readonly #named = new Compartment();
  #options = { locked: true, name: '' };
  #state: EditorState;
  #view: EditorView | null = null;
  #scroll: ReturnType<EditorView['scrollSnapshot']> | null = null;
  /** The line break of the document: CRLF when it has no other; else LF, with any CR kept inside its line. */
  #lineBreak: '\n' | '\r\n' = '\n';

  constructor(events: PlanEditorEvents) {
    this.#events = events;
    this.#state = this.#newState('');
  }

  read(): string {
    const { doc } = this.#current;
    return doc.sliceString(0, doc.length, this.#lineBreak);
  }

  open(raw: string): void {
    this.#lineBreak = lineBreakOf(raw);
    this.#state = this.#newState(raw);
    this.#view?.setState(this.#state);
  }

  replace(raw: string): void {
    const before = this.#current.doc.toString();
    this.#lineBreak = lineBreakOf(raw);
    const changes = textChanges(before, raw.split(this.#lineBreak).join('\n')).map((change) => ({
      ...change,
      insert: Text.of(change.insert.split('\n')),
    }));
    if (changes.length === 0) return;
    const annotations = [fromOutside.of(true), isolateHistory.of('full')];
    this.#dispatch({ changes, annotations });
  }

  isComposing(): boolean {
    return this.#view?.compositionStarted ?? false;
  }

  /** Whether the person may type, and the accessible name. */
  configure(options: { locked: boolean; name: string }): void {
    if (options.locked === this.#options.locked && options.name === this.#options.name) return;
    this.#options = options;
    this.#dispatch({ effects: [this.#locked.reconfigure(this.#lock()), this.#named.reconfigure(this.#name())] });
  }

  /** Shows the editor in `place`; the result takes it away again and keeps everything. */
  mount(place: HTMLElement): () => void {
    const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
    const scrollTo = this.#scroll;
    const view = new EditorView({ state: this.#state, root, parent: root, ...(scrollTo ? { scrollTo } : {}) });
    this.#view = view;
    return () => {
      this.#state = view.state;
      this.#scroll = view.scrollSnapshot();
      this.#view = null;
      view.destroy();
    };
  }

  focus(): void {
    this.#view?.focus();
  }

  /** Goes on below the heading, where the body begins. */
  focusBody(): void {
    this.#dispatch({ selection: { anchor: bodyStart(this.#current.doc.toString()) }, scrollIntoView: true });
    this.focus();
  }

  get #current(): EditorState {
    return this.#view?.state ?? this.#state;
  }

  #dispatch(spec: TransactionSpec): void {
    if (this.#view) this.#view.dispatch(spec);
    else this.#state = this.#state.update(spec).state;
  }

  #newState(raw: string): EditorState {
    return EditorState.create({ doc: Text.of(raw.split(this.#lineBreak)), extensions: this.#extensions() });
  }

  #extensions(): Extension {
    return [
      // Only LF parts lines, so that a lone CR in a file survives as the character that it is.
      EditorState.lineSeparator.of('\n'),
      history(),
      drawSelection(),
      highlightSpecialChars(),
      markdown(),
      syntaxHighlighting(highlighting),
      theme,
      EditorView.lineWrapping,
      EditorView.perLineTextDirection.of(true),
      EditorView.contentAttributes.of({ spellcheck: 'true', autocorrect: 'on', tabindex: '0' }),
      EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, '\n')),
      this.#locked.of(this.#lock()),
      this.#named.of(this.#name()),
      keymap.of([{ key: 'Mod-s', run: () => this.#save(), preventDefault: true }, ...historyKeymap, ...defaultKeymap]),
      EditorView.updateListener.of((update) => {
        const own = update.transactions.some(
          (transaction) => transaction.docChanged && !transaction.annotation(fromOutside),
        );
        if (own) this.#events.edited();
      }),
      // CodeMirror reads the composed text after the event; the session may look once that is done.
      EditorView.domEventHandlers({
        compositionend: () => {
          setTimeout(() => this.#events.compositionEnded(), 50);
        },
      }),
    ];
  }

  #lock(): Extension {
    return EditorState.readOnly.of(this.#options.locked);
  }

  #name(): Extension {
    return EditorView.contentAttributes.of({ 'aria-label': this.#options.name });
  }

  #save(): boolean {
    this.#events.save();
    return true;
  }
}

function lineBreakOf(raw: string): '\n' | '\r\n' {
  const breaks = raw.match(/\r\n|\r|\n/g) ?? [];
  return breaks.length > 0 && breaks.every((found) => found === '\r\n') ? '\r\n' : '\n';
}

import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** CodeMirror in the colours of the window; custom properties reach into its shadow root. */
export const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--canvas)', fontSize: 'var(--text-md)' },
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused .cm-scroller': { boxShadow: 'inset 0 0 0 2px var(--focus)' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.65', overflow: 'auto' },
  '.cm-content': {
    boxSizing: 'border-box',
    width: '100%',
    maxWidth: '54rem',
    padding: '1rem 1.5rem 40vh',
    caretColor: 'var(--ink)',
  },
  '.cm-line': { padding: '0', overflowWrap: 'anywhere' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'light-dark(#c9d9fb, #35508c)',
  },
  '.cm-specialChar': { color: 'var(--danger)' },
});

/** Markdown: structure is seen, the text stays calm. */
export const highlighting = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '700', color: 'var(--ink)' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--accent-ink)' },
  { tag: tags.monospace, color: 'light-dark(#8a3b12, #f0b48f)' },
  { tag: tags.quote, color: 'var(--ink-soft)' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.meta], color: 'var(--ink-soft)' },
]);

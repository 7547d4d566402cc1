import { Copy } from 'lucide-react';
import { memo, type ReactNode, useId } from 'react';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { IconButton } from '../button.tsx';
import { useCopy } from '../copy.ts';
import { transcriptTexts as texts } from './strings.ts';

/** Longest address that is shown whole, in UTF-16 code units. */
const ADDRESS = 300;

/**
 * Markdown of a message as elements of ours: no markup of the message reaches the page, nothing is loaded, and no link
 * leads anywhere. An address is shown beside its words, so that they cannot say another one.
 */
export default memo(function MarkdownBody({ text }: { text: string }) {
  const id = useId();
  return (
    <div className="markdown">
      <Markdown
        remarkPlugins={plugins}
        remarkRehypeOptions={{ clobberPrefix: `${id}-` }}
        components={components}
        urlTransform={(address) => address}
      >
        {text}
      </Markdown>
    </div>
  );
});

const plugins = [remarkGfm];

const components: Components = {
  a: ({ href = '', children }) => <Address address={href}>{children}</Address>,
  img: ({ src, alt = '' }) => <span className="soft">{texts.image(alt, short(String(src ?? '')))}</span>,
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  input: ({ checked }) => (
    <span role="img" aria-label={checked ? texts.done : texts.open}>
      {checked ? '☑' : '☐'}
    </span>
  ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section className="markdown-table" tabIndex={0} aria-label={texts.table}>
      <table>{children}</table>
    </section>
  ),
  // The name of the session is the heading of the page, and the messages stand below it.
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
};

function Address({ address, children }: { address: string; children?: ReactNode }) {
  const isWithin = address === '' || address.startsWith('#');
  const isSame = typeof children === 'string' && [address, `mailto:${address}`].includes(children);
  return (
    <span className="markdown-link">
      {children}
      {isWithin || isSame ? null : <span className="markdown-address"> ({short(address)})</span>}
    </span>
  );
}

function CodeBlock({ children }: { children?: ReactNode }) {
  const copy = useCopy();
  return (
    <div className="markdown-code">
      <pre>{children}</pre>
      <IconButton
        label={texts.copyCode}
        onPress={(event) => copy(event.target.closest('.markdown-code')?.querySelector('pre')?.textContent ?? '')}
      >
        <Copy size={14} aria-hidden="true" />
      </IconButton>
    </div>
  );
}

const short = (address: string): string => (address.length > ADDRESS ? `${address.slice(0, ADDRESS)}…` : address);

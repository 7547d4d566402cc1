import { hasVisibleText, UserText } from '../ui/user-text.tsx';

/**
 * Text that came from a file, on one line, with what was found in it marked.
 * @param ranges half-open, in UTF-16 code units, in order, without overlap
 */
export function Highlighted({ text, ranges }: { text: string; ranges: readonly (readonly [number, number])[] }) {
  if (!hasVisibleText(text) || ranges.length === 0) return <UserText text={text} />;
  // As long as the text itself, so that the ranges stay true.
  const line = text.replace(/[\r\n\u2028\u2029]/g, ' ');
  return (
    <bdi dir="auto" className="user-text">
      {ranges.map(([start, end], index) => (
        <span key={start}>
          {line.slice(ranges[index - 1]?.[1] ?? 0, start)}
          <mark>{line.slice(start, end)}</mark>
        </span>
      ))}
      {line.slice(ranges.at(-1)?.[1] ?? 0)}
    </bdi>
  );
}

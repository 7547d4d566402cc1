import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { texts } from './strings.ts';

/** Shows the first lines of a long text, with a button for the rest. */
export function Clamped({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element || isOpen) return;
    const observer = new ResizeObserver(() => setLong(element.scrollHeight > element.clientHeight + 1));
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, [isOpen]);
  return (
    <>
      <div ref={box} className={isOpen ? 'clamped clamped-open' : isLong ? 'clamped clamped-long' : 'clamped'}>
        <div>{children}</div>
      </div>
      {isLong || isOpen ? (
        <Button className="clamp-button" excludeFromTabOrder aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {isOpen ? texts.stream.less : texts.stream.more}
        </Button>
      ) : null}
    </>
  );
}

import { useLayoutEffect, useRef, useState } from 'react';

/** A long text by its first three lines, until somebody asks for all of it. */
export function FoldedText({ text }: { readonly text: string }) {
  const box = useRef<HTMLSpanElement>(null);
  const [isLong, setLong] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    const shown = box.current;
    if (shown === null || isOpen) return undefined;
    const measure = () => setLong(shown.scrollHeight > shown.clientHeight + 1);
    measure();
    // Narrower, the same text has more lines.
    const follow = new ResizeObserver(measure);
    follow.observe(shown);
    return () => follow.disconnect();
  }, [text, isOpen]);
  return (
    <span className="folded-text">
      <span ref={box} className={isOpen ? undefined : 'is-folded'}>
        {text}
      </span>
      {isLong && (
        <button type="button" className="link-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? '收起' : '展开'}
        </button>
      )}
    </span>
  );
}

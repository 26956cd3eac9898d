import { useEffect, useRef } from 'react';
import type { Box } from '../word-boxes.ts';
import classes from './viewer.module.css';

interface WordBoxesProps {
  boxes: readonly Box[];
  quote: string;
  /** Called with the first mark. */
  onMarked?: (mark: HTMLElement) => void;
}

const percent = (share: number): string => `${share * 100}%`;

/** Marks where a quote stands on a picture of a page; the first mark says it to those who listen. */
export function WordBoxes({ boxes, quote, onMarked }: WordBoxesProps) {
  const first = useRef<HTMLElement>(null);
  useEffect(() => {
    if (boxes.length > 0 && first.current) onMarked?.(first.current);
  }, [boxes, onMarked]);
  return (
    <div className={classes.boxes}>
      {boxes.map(({ left, top, width, height }, index) => (
        <mark
          key={`${left} ${top}`}
          ref={index === 0 ? first : undefined}
          className={classes.box}
          data-testid="quote"
          style={{
            left: percent(left),
            top: percent(top),
            width: percent(width),
            height: percent(height),
          }}
        >
          {index === 0 && <span className="eg-visually-hidden">{quote}</span>}
        </mark>
      ))}
    </div>
  );
}

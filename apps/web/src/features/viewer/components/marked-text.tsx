import { overlaps, type Stretch } from '../quote-place.ts';

interface MarkedTextProps {
  /** The whole text. */
  text: string;
  /** The stretch of it that is shown. */
  start: number;
  end: number;
  quote: Stretch | null;
}

/** A stretch of a text with its part of the quote marked. */
export function MarkedText({ text, start, end, quote }: MarkedTextProps) {
  if (!quote || !overlaps([start, end], quote)) return text.slice(start, end);
  const [from, to] = [Math.max(start, quote[0]), Math.min(end, quote[1])];
  return (
    <>
      {text.slice(start, from)}
      <mark data-testid="quote">{text.slice(from, to)}</mark>
      {text.slice(to, end)}
    </>
  );
}

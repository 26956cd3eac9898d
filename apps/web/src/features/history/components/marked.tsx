import { Fragment } from 'react';

const escaped = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);

interface MarkedProps {
  text: string;
  /** What is marked in it, whatever its case. */
  words: readonly string[];
}

/** A text with the words that were searched for marked. */
export function Marked({ text, words }: MarkedProps) {
  if (words.length === 0) return text;
  const parts = text.split(new RegExp(`(${words.map(escaped).join('|')})`, 'giu'));
  return parts.map((part, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- the parts of one text
    index % 2 === 1 ? <mark key={index}>{part}</mark> : <Fragment key={index}>{part}</Fragment>,
  );
}

import { detectLanguage } from '../text/languages.ts';
import { DIGIT, type Word } from '../text/words.ts';
import { holdsValue, holdsWord, squeeze, type Statement, statementOf } from './statement.ts';

interface Anchor {
  isIn: (statement: Statement) => boolean;
  /** Whether it is a single digit, which many passages contain. */
  isDigit: boolean;
}

export interface Claim {
  text: string;
  language: string;
  words: Word[];
  anchors: Anchor[];
}

const ADDRESS = /(?:https?:\/\/|www\.)[^\s)>"”]+/giu;

/** 5th, 30km and 2024-05-01 are numbers; A4, FY2017 and INV-2041 are codes. */
const isCode = ({ lower, shape }: Word): boolean =>
  (shape & DIGIT) === 0 ? /@|\w\.\w/u.test(lower) : /^\p{L}+[-_./]?\d|\p{L}[-_./]\d/u.test(lower);

export function claimOf(text: string, question: string): Claim {
  const language = detectLanguage(`${text}\n${question}`);
  const analyzed = statementOf(text, language);
  const words = analyzed.words.filter(({ lower }) => !/^[a-z]$/u.test(lower));
  const values = analyzed.values.filter(
    ({ family }) => family !== 'rate' && !String(family).startsWith('name'),
  );
  const names = words.filter((word) => !isCode(word) && analyzed.names.has(word));
  const codes = [
    ...words.filter(isCode).map(({ lower }) => lower),
    ...[...text.matchAll(ADDRESS)].map(([address]) => address),
  ].map(squeeze);
  const anchors = [
    ...values.map((value) => ({
      isIn: (statement: Statement) => holdsValue(statement, value),
      isDigit: value.family === null && value.keys.every((key) => key.length < 2),
    })),
    ...codes.map((code) => ({
      isIn: ({ squeezed }: Statement) => squeezed.includes(code),
      isDigit: false,
    })),
    ...names.map((name) => ({
      isIn: (statement: Statement) => holdsWord(statement, name),
      isDigit: false,
    })),
  ];
  return { text, language, words, anchors };
}

import { alternatives, LANGUAGES, wholeWords } from '../languages/index.ts';
import { verbatim } from './quotes.ts';
import type { Source } from './source.ts';

const patternOf = (source: string): RegExp => new RegExp(wholeWords(source), 'iu');
/** A model says that the passages lack something: true or not, no quote can show it. */
const LACKS = LANGUAGES.flatMap(({ claims }) =>
  claims?.lacks ? [claims.lacks.map(patternOf)] : [],
);
/** A model says that it knows nothing, unless a file has put it just so: 'Meals are not provided.' */
const KNOWS_NOTHING = patternOf(alternatives(({ claims }) => claims?.knowsNothing));

function areInOrder(text: string, patterns: readonly RegExp[]): boolean {
  let rest = text;
  return patterns.every((pattern) => {
    const found = pattern.exec(rest);
    rest = rest.slice(found === null ? 0 : found.index + found[0].length);
    return found !== null;
  });
}

export function isAbstention(text: string, sources: readonly Source[]): boolean {
  const isIn = (words: string): boolean =>
    sources.some((source) => verbatim(words, source) !== null);
  if (isIn(text)) return false;
  const lacks = LACKS.some((patterns) =>
    text.split('\n').some((line) => areInOrder(line, patterns)),
  );
  const words = KNOWS_NOTHING.exec(text)?.[0];
  return lacks || (words !== undefined && !isIn(words));
}

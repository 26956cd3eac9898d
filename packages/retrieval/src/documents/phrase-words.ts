import { stopWords } from '../analysis/languages.ts';
import { calendarNames } from '../languages/calendar.ts';
import { commonWords } from '../languages/common-words.ts';
import { allWords, packOf } from '../languages/index.ts';

/** Between the parts of a person's name, in whatever language. */
export const NAME_JOINS = allWords(({ phrases }) => phrases?.nameJoins);

/** Scripts in which nothing stands between words. */
const UNSPACED = new Set(['ja', 'zh', 'th', 'lo', 'km', 'my']);

const wordsIn = (list = ''): Set<string> => new Set(list.split(/\s+/u));

/** What the words of a language may be in a phrase (see PhraseWords); of an unknown one nothing is. */
function makeGrammar(language: string) {
  const { phrases, capitalNouns = false } = packOf(language);
  const { full, weekday } = calendarNames([language]);
  const unspaced = UNSPACED.has(language);
  return {
    common: new Set([...stopWords(language), ...full.split('|'), ...weekday.split('|')]),
    outside: commonWords(language).union(wordsIn(phrases?.outside)),
    joins: wordsIn(phrases?.joins),
    capitalNouns,
    between: unspaced ? '' : ' ',
    segmenter: unspaced ? new Intl.Segmenter(language, { granularity: 'word' }) : null,
  };
}

export type PhraseGrammar = ReturnType<typeof makeGrammar>;

const grammars = new Map<string, PhraseGrammar>();

/** The grammar of a language, made once. */
export function grammarOf(language: string): PhraseGrammar {
  const grammar = grammars.get(language) ?? makeGrammar(language);
  grammars.set(language, grammar);
  return grammar;
}

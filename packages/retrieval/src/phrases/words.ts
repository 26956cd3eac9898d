import { stopWords } from '../analysis/languages.ts';
import { calendarNames } from '../languages/calendar.ts';
import { allWords, packOf } from '../languages/index.ts';

/** What the words of one language may be in a phrase. */
export interface PhraseGrammar {
  /** Words that no phrase holds: function words, and what is said of things rather than their names. */
  outside: ReadonlySet<string>;
  /** Words after which the name of a thing begins. */
  leads: ReadonlySet<string>;
  /** Words that join two names to one: 'date de naissance', 'Bank of England'. */
  joins: ReadonlySet<string>;
  /** Whether nouns are written with a capital. */
  capitalNouns: boolean;
}

/** Between the parts of a person's name, in whatever language. */
export const NAME_JOINS = allWords(({ phrases }) => phrases?.nameJoins);

const grammars = new Map<string, PhraseGrammar>();

const wordsIn = (list = ''): Set<string> => new Set(list.split(/\s+/u));

/** What is known of a language; of one without a word list only its form is. */
export function grammarOf(language: string): PhraseGrammar {
  let grammar = grammars.get(language);
  if (grammar === undefined) {
    const { phrases, capitalNouns = false } = packOf(language);
    const { full, weekday } = calendarNames([language]);
    grammar = {
      outside: new Set([
        ...stopWords(language),
        ...wordsIn(phrases?.outside),
        ...`${full}|${weekday}`.split('|'),
      ]),
      leads: wordsIn(phrases?.leads),
      joins: wordsIn(phrases?.joins),
      capitalNouns,
    };
    grammars.set(language, grammar);
  }
  return grammar;
}

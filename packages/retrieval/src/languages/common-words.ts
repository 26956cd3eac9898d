import lists from 'stopwords-iso/stopwords-iso.json' with { type: 'json' };

const LISTS: Readonly<Record<string, readonly string[] | undefined>> = lists;
const sets = new Map<string, ReadonlySet<string>>();

/** Words too common to name anything, more than stop words. Empty for an unknown language. */
export function commonWords(language: string): ReadonlySet<string> {
  const words = sets.get(language) ?? new Set(LISTS[language]);
  sets.set(language, words);
  return words;
}

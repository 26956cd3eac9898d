/** One sight of a stretch of words that may name a thing. */
export interface PhraseSight {
  surface: string;
  /** Words in it. */
  length: number;
  /** The longer stretch it stands within. */
  within: string | null;
  /** How sure its form makes that it names something; 0 where it does not show. */
  form: number;
}

/** All sights of one; `surface` is how it is written in the middle of a text. */
interface PhraseCount extends Omit<PhraseSight, 'within'> {
  seen: number;
  /** How often of these it stood within longer stretches, and these. */
  nested: number;
  within: Set<string>;
}

/** By the phrase in small letters. */
export type PhraseCounts = Map<string, PhraseCount>;

/** Adds one sight of a phrase. */
export function countSight(counts: PhraseCounts, { within, ...sight }: PhraseSight): void {
  const key = sight.surface.toLowerCase();
  const phrase = counts.get(key) ?? { ...sight, seen: 0, nested: 0, within: new Set() };
  counts.set(key, phrase);
  phrase.seen += 1;
  if (within !== null) {
    phrase.nested += 1;
    phrase.within.add(within);
  }
  phrase.form = Math.max(phrase.form, sight.form);
  // Beginnings of sentences and headlines write more with capitals than the text does.
  if (/^\p{Ll}/u.test(sight.surface)) phrase.surface = sight.surface;
}

/** Occurrences from which on a phrase counts whose form shows no name. */
const OFTEN = 2;

/**
 * C-value (Frantzi, Ananiadou, Mima 2000): the logarithm of a phrase's length times how often it was
 * seen, less how often on average within each of the longer ones; more where its form shows a name.
 */
export function valueOf({ length, seen, nested, within, form }: PhraseCount): number {
  const own = seen - nested / Math.max(1, within.size);
  return form === 0 && seen < OFTEN ? 0 : Math.log2(length) * own * (1 + form);
}

/** How often a stretch of words was seen that may name a thing. */
export interface PhraseCount {
  /** As it is written most often. */
  surface: string;
  /** Words in it. */
  length: number;
  seen: number;
  /** How often of these it stood within a longer stretch. */
  nested: number;
  /** The longer stretches. */
  within: Set<string>;
  /** How sure its form makes that it names something; 0 where it does not show. */
  form: number;
}

/** By the phrase in small letters. */
export type PhraseCounts = Map<string, PhraseCount>;

/** One sight of a phrase. */
export interface PhraseSight {
  surface: string;
  length: number;
  /** The longer stretch it stands within. */
  within: string | null;
  form: number;
}

/** Adds one sight of a phrase. */
export function countSight(
  counts: PhraseCounts,
  { surface, length, within, form }: PhraseSight,
): void {
  const key = surface.toLowerCase();
  let phrase = counts.get(key);
  if (phrase === undefined) {
    phrase = { surface, length, seen: 0, nested: 0, within: new Set(), form };
    counts.set(key, phrase);
  }
  phrase.seen += 1;
  if (within !== null) {
    phrase.nested += 1;
    phrase.within.add(within);
  }
  phrase.form = Math.max(phrase.form, form);
  // Beginnings of sentences and headlines write more with capitals than the text does.
  if (/^\p{Lu}/u.test(phrase.surface) && /^\p{Ll}/u.test(surface)) phrase.surface = surface;
}

/** Sights that tell a name by themselves. */
const OFTEN = 2;

/**
 * C-value (Frantzi, Ananiadou, Mima 2000): the logarithm of a phrase's length times how often it was
 * seen, less how often on average within each of the longer ones; more where its form shows a name.
 */
export function valueOf({ length, seen, nested, within, form }: PhraseCount): number {
  const own = seen - nested / Math.max(1, within.size);
  return form === 0 && own < OFTEN ? 0 : Math.log2(length) * own * (1 + form);
}

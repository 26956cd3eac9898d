import { askedOf } from '../question/asked.ts';
import type { Question } from '../question/question.ts';
import type { Hits } from '../ranking/hits.ts';
import { REPLY } from '../ranking/weights.ts';

/**
 * Where a question's words stand in the sentences of passages, with the words that say the same
 * ('recommends', 'advises'), and values that need no word: an amount says what something costs.
 */
export function withOtherWords(
  question: Question,
  passages: readonly { text: string }[],
  hits: readonly Hits[],
): Hits[] {
  const { aliases, values } = askedOf(question);
  if (aliases.size === 0 && values.length === 0) return [...hits];
  const count = question.terms.length;
  return hits.map((found, i): Hits => {
    const { sentences, tokens } = found.analysis;
    const text = passages[i]?.text ?? '';
    const cover = found.cover.slice();
    sentences.forEach(({ start, end, firstWord, endWord }, sentence) => {
      const raise = (terms: readonly number[]): void => {
        for (const term of terms) {
          const at = sentence * count + term;
          cover[at] = Math.max(cover[at] ?? 0, REPLY.alias);
        }
      };
      for (const { lower } of tokens.words.slice(firstWord, endWord))
        raise(aliases.get(lower) ?? []);
      for (const { value, terms } of values) if (value.test(text.slice(start, end))) raise(terms);
    });
    return { ...found, cover };
  });
}

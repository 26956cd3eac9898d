/** Position at which a question counts half as much as the newest. */
const HALF_LIFE = 20;

const keyOf = (question: string): string =>
  question
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

/**
 * Ranks distinct questions by how recently and how often they were asked, without those that had no
 * answer the last time.
 * @param asked newest first
 */
export function rankQuestions(asked: readonly { question: string; grounded: boolean }[]): string[] {
  const ranked = new Map<string, { question: string; grounded: boolean; worth: number }>();
  for (const [at, entry] of asked.entries()) {
    const key = keyOf(entry.question);
    const known = ranked.get(key) ?? { ...entry, worth: 0 };
    ranked.set(key, { ...known, worth: known.worth + 1 / (1 + at / HALF_LIFE) });
  }
  return [...ranked.values()]
    .filter(({ grounded }) => grounded)
    .sort((a, b) => b.worth - a.worth)
    .map(({ question }) => question);
}

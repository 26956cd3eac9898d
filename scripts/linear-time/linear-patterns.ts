import { accused } from './growth.ts';
import { superLinear } from './judge.ts';
import { patternsConstructed, patternsInSource } from './patterns.ts';

const OF_PACKS =
  'Words of the language packs, letter for letter, between stretches of bounded length.';

/** Patterns made of words that are at hand, by their files, and what keeps each of them linear. */
const MADE_OF_WORDS: Readonly<Record<string, string>> = {
  'apps/web/src/features/viewer/mark-terms.ts':
    'Words of a question, letter for letter, with at most four letters behind each.',
  'packages/retrieval/src/verification/quotes.ts':
    'At most 300 letters, letter for letter, with nothing repeated but the white space between.',
  'packages/retrieval/src/verification/statement.ts': OF_PACKS,
  'packages/retrieval/src/documents/day.ts': OF_PACKS,
  'packages/retrieval/src/documents/facts.ts': OF_PACKS,
  'packages/retrieval/src/documents/kind.ts': OF_PACKS,
  'packages/retrieval/src/documents/document-words.ts': OF_PACKS,
};

/** The months and days of the languages are put together when a question first needs them. */
async function readQuestions(): Promise<void> {
  const { readQuestion } = await import('@engram/retrieval');
  for (const language of ['en', 'de', 'fr', 'es', 'it', 'ru', 'ja', 'zh', 'ar']) {
    for (const question of ['What did I pay last Monday, in May?', '昨日 3週間前']) {
      readQuestion(question, {
        languages: [language],
        now: new Date(0),
        timeZone: 'UTC',
        names: null,
      });
    }
  }
}

/** A sentence for each pattern of the product that may take more than linear time. */
export async function superLinearPatterns(): Promise<string[]> {
  const { literals, constructed } = patternsInSource();
  const made = await patternsConstructed(constructed, readQuestions);
  const all = [...literals, ...made];
  const different = new Map(all.map(({ pattern }) => [String(pattern), pattern]));
  const reasons = accused(different.keys(), (key) => {
    const pattern = different.get(key);
    return pattern && superLinear(pattern);
  });
  const complaints = all.flatMap(({ place, pattern }) => {
    const key = String(pattern);
    const reason = reasons.get(key);
    return reason === undefined ? [] : [`${place}: ${key.slice(0, 200)} ${reason}.`];
  });
  const seen = new Set(made.map(({ place }) => place));
  const unseen = constructed.filter(
    (place) => !seen.has(place) && !((place.split(':')[0] ?? '') in MADE_OF_WORDS),
  );
  return [...complaints, ...unseen.map((place) => `${place}: this pattern could not be judged.`)];
}

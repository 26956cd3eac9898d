import { describe, expect, test } from 'vitest';
import { analyzeQuestion, withRarity } from '../../question/question.ts';
import { rankPassages, relevanceOf } from '../rank.ts';

const passage = (text: string) => ({
  artifactId: 'a',
  fileName: 'note.txt',
  ordinal: 1,
  start: 0,
  end: text.length,
  text,
  location: {},
  places: [],
  headings: [],
  score: 1,
});

/** In a library of 1,000 chunks with the given document frequencies. */
function relevance(question: string, text: string, frequencies: Record<string, number>): number {
  const documents = new Map(Object.entries(frequencies));
  const analyzed = withRarity(analyzeQuestion(question, ['en', 'de']), { chunks: 1000, documents });
  const [best] = rankPassages(analyzed, [passage(text)]);
  return best === undefined ? 0 : relevanceOf(best);
}

describe('relevanceOf', () => {
  const question = 'How tall is the old lighthouse?';

  test('a missing rare word reduces relevance more than a missing common one', () => {
    const frequencies = { old: 400, lighthous: 3, leuchtturm: 3, tall: 90 };
    const withoutCommon = relevance(question, 'The lighthouse is 31 m tall.', frequencies);
    const withoutRare = relevance(question, 'The old oak is 31 m tall.', frequencies);
    expect(withoutCommon).toBeGreaterThan(withoutRare + 0.1);
  });

  test('a word is as common as its most frequent form in any of the languages', () => {
    const text = 'The old oak is 31 m tall.';
    const rare = relevance(question, text, { old: 400, tall: 90 });
    const common = relevance(question, text, { old: 400, tall: 90, lighthous: 300 });
    expect(common).toBeGreaterThan(rare);
  });

  test('all words have nearly the same weight in a library of a single note', () => {
    const analyzed = analyzeQuestion(question, ['en']);
    const documents = new Map([['old', 1]]);
    const { terms } = withRarity(analyzed, { chunks: 1, documents });
    const rarities = terms.map(({ rarity }) => rarity);
    expect(Math.max(...rarities) / Math.min(...rarities)).toBeLessThan(1.1);
  });
});

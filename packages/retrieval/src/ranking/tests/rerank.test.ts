import { expect, test } from 'vitest';
import { type RankedPassage, rerankPassages } from '../rank.ts';

const ranked = [9, 7, 5, 3].map((score, index) => ({
  artifactId: `file ${index}`,
  score,
  scores: {},
})) as unknown as RankedPassage[];

test('passages with logits are sorted by them, and the others follow', () => {
  const reranked = rerankPassages(ranked, [0, -1, 2]);
  expect(reranked.map(({ artifactId }) => artifactId)).toEqual([
    'file 2',
    'file 0',
    'file 1',
    'file 3',
  ]);
  expect(reranked.map(({ score }) => score)).toEqual([9, 7, 5, 3]);
  expect(reranked[1]?.scores).toEqual({ reranker: 0.5 });
});

test('equal logits preserve the order of the ranking', () => {
  const names = rerankPassages(ranked, [1, 1, 1]).map(({ artifactId }) => artifactId);
  expect(names).toEqual(ranked.map(({ artifactId }) => artifactId));
});

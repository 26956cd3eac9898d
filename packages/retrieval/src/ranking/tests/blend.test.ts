import { assert, array, double, option, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blendByMeaning } from '../blend.ts';
import { rankPassages } from '../rank.ts';
import { findPassages } from '../../testing.ts';

const files = [
  { name: 'ship.txt', blocks: ['The harbour opens at six in the morning.'] },
  { name: 'gate.txt', blocks: ['The harbour opens at ten in the morning.'] },
  { name: 'cake.txt', blocks: ['The cake of the harbour master has two layers.'] },
];
const { question, passages } = findPassages(files, 'When does the harbour open?');

/** The passages with similarities by file name, ranked by words. */
const rankedWith = (similarities: Record<string, number>) =>
  rankPassages(
    question,
    passages.map((passage) => {
      const similarity = similarities[passage.fileName];
      return similarity === undefined ? passage : { ...passage, similarity };
    }),
  );

const closenesses = (similarities: Record<string, number>) =>
  new Map(
    blendByMeaning(question, rankedWith(similarities)).map(({ fileName, scores }) => [
      fileName,
      scores['closeness'],
    ]),
  );

describe('blendByMeaning', () => {
  it('leaves the order of words alone where nothing has a similarity', () => {
    const ranked = rankedWith({});
    expect(blendByMeaning(question, ranked)).toEqual(ranked);
  });

  it('raises what is close in meaning', () => {
    const order = (similarities: Record<string, number>) =>
      blendByMeaning(question, rankedWith(similarities)).map(({ fileName }) => fileName);
    expect(order({ 'ship.txt': 0.9, 'gate.txt': 0.1 })[0]).toBe('ship.txt');
    expect(order({ 'ship.txt': 0.1, 'gate.txt': 0.9 })[0]).toBe('gate.txt');
  });

  it('measures closeness between the least similarity and 1, whatever the model', () => {
    const found = closenesses({ 'ship.txt': 0.9, 'cake.txt': 0.8 });
    expect(found.get('ship.txt')).toBeCloseTo(0.5);
    expect(found.get('cake.txt')).toBe(0);
  });

  it('takes a passage without a similarity for one as far as the farthest', () => {
    const found = closenesses({ 'ship.txt': 0.4 });
    expect(found.get('ship.txt')).toBe(0);
    expect(found.get('cake.txt')).toBe(0);
  });

  it('keeps every passage, with finite scores no lower than before', () => {
    const cosine = option(double({ min: -1, max: 1, noNaN: true }), { nil: undefined });
    assert(
      property(array(cosine, { minLength: passages.length, maxLength: passages.length }), (all) => {
        const given = Object.fromEntries(
          passages.flatMap(({ fileName }, at) => {
            const similarity = all[at];
            return similarity === undefined ? [] : [[fileName, similarity]];
          }),
        );
        const ranked = rankedWith(given);
        const before = new Map(ranked.map(({ fileName, score }) => [fileName, score]));
        const blended = blendByMeaning(question, ranked);
        expect(blended).toHaveLength(ranked.length);
        for (const [at, { fileName, score, scores }] of blended.entries()) {
          expect(score).toBeGreaterThanOrEqual(before.get(fileName) ?? 0);
          expect(score).toBeLessThanOrEqual(blended[at - 1]?.score ?? Infinity);
          expect(scores['closeness'] ?? 0).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

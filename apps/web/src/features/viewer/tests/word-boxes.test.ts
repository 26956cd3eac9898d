import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordBoxesOf } from '../components/word-boxes.tsx';

const word = (start: number, end: number, left: number, top: number) => ({
  start,
  end,
  left,
  top,
  width: 0.1,
  height: 0.02,
});
const words = [word(0, 3, 0.1, 0.1), word(4, 8, 0.22, 0.101), word(9, 12, 0.1, 0.14)];

test('words of one line share a box, and each further line has its own', () => {
  const boxes = wordBoxesOf(words, [0, 12]);
  expect(boxes).toHaveLength(2);
  expect(boxes[0]!.left).toBe(0.1);
  expect(boxes[0]!.width).toBeCloseTo(0.22);
  expect(boxes[1]).toEqual({ left: 0.1, top: 0.14, width: 0.1, height: 0.02 });
});

test('only words that the range touches are marked', () => {
  expect(wordBoxesOf(words, [4, 8])).toEqual([
    { left: 0.22, top: 0.101, width: 0.1, height: 0.02 },
  ]);
  expect(wordBoxesOf(words, [3, 4])).toEqual([]);
});

test('words of another column have their own box', () => {
  expect(wordBoxesOf([words[0]!, word(4, 8, 0.6, 0.1)], [0, 8])).toHaveLength(2);
});

test('every touched word lies within one of the boxes', () => {
  const fraction = fc.double({ min: 0, max: 0.9, noNaN: true });
  const anyWord = fc.record({
    left: fraction,
    top: fraction,
    width: fc.double({ min: 0.001, max: 0.1, noNaN: true }),
    height: fc.double({ min: 0.001, max: 0.1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(anyWord), fc.nat(60), fc.nat(60), (boxesOfWords, from, length) => {
      const words = boxesOfWords.map((box, n) => ({ ...box, start: n * 5, end: n * 5 + 4 }));
      const boxes = wordBoxesOf(words, [from, from + length]);
      for (const { start, end, left, top, width, height } of words) {
        if (start >= from + length || end <= from) continue;
        const contains = boxes.some(
          (box) =>
            box.left <= left &&
            box.top <= top &&
            box.left + box.width >= left + width - 1e-9 &&
            box.top + box.height >= top + height - 1e-9,
        );
        expect(contains).toBe(true);
      }
    }),
  );
});

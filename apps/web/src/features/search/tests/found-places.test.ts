import { expect, test } from 'vitest';
import { bestSentence, excerptOf, markedParagraphs } from '../found-places.ts';

const paragraph = (n: number, length: number): string => `${n}`.padEnd(length, ' word');

/** A section of ten paragraphs, of which one is highlighted. */
function section(length: number, highlighted: number) {
  const paragraphs = Array.from({ length: 10 }, (_, n) => paragraph(n, length));
  const start = highlighted * (length + 2);
  return markedParagraphs(
    { text: paragraphs.join('\n\n'), sentences: [[start, start + length]], highlights: [] },
    false,
  );
}

const numbersOf = (paragraphs: ReturnType<typeof excerptOf>): string[] =>
  paragraphs.map(([run]) => run?.parts[0]?.text[0] ?? '');

test('a short section is shown completely', () => {
  expect(numbersOf(excerptOf(section(60, 7)))).toHaveLength(10);
});

test('a few lines of a long section are shown, from the paragraph before the highlighted one', () => {
  expect(numbersOf(excerptOf(section(120, 5)))).toEqual(['4', '5', '6']);
  expect(numbersOf(excerptOf(section(120, 0)))).toEqual(['0', '1', '2']);
  expect(numbersOf(excerptOf(section(120, 9)))).toEqual(['8', '9']);
});

test('a highlighted paragraph is shown completely, and first if the previous one is long', () => {
  expect(numbersOf(excerptOf(section(700, 3)))).toEqual(['3']);
});

test('a long paragraph is shown from a few words before its highlighted sentence', () => {
  const sentence = 'The deposit is 900.';
  const text = `${'A sentence that leads on. '.repeat(40)}${sentence} And more.`;
  const start = text.indexOf(sentence);
  const passage = { text, sentences: [[start, start + sentence.length] as const], highlights: [] };
  const [[lead, highlighted] = []] = excerptOf(markedParagraphs(passage, false));
  const before = lead?.parts.map((part) => part.text).join('') ?? '';
  expect(before.length).toBeLessThan(170);
  expect(before).toMatch(/^… \w[^…]*leads on\. $/u);
  expect(highlighted?.parts.map((part) => part.text)).toEqual([sentence]);
});

test.each([
  ['Rent is due. The rent of May is 900. Ask Ann.', ['rent', 'May'], 'The rent of May is 900.'],
  ['Rent and rent. Rent of May.\nRent of June.', ['rent', 'June'], 'Rent of June.'],
  ['Nothing of it is here.', [], null],
])('the best sentence of %j has the most different highlighted words', (text, words, best) => {
  const highlights = words.flatMap((word) =>
    Array.from(text.matchAll(new RegExp(word, 'giu')), ({ 0: hit, index }): [number, number] => [
      index,
      index + hit.length,
    ]),
  );
  const span = bestSentence({ text, highlights });
  expect(span && text.slice(...span)).toBe(best);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TranscriptPart } from '../../types.ts';
import { cleanTranscript, toParagraphs } from '../speech.ts';

const part = (startMs: number, endMs: number, text: string): TranscriptPart => {
  return { startMs, endMs, text };
};
const texts = (parts: readonly TranscriptPart[]): string[] => parts.map(({ text }) => text);

test.each([
  ['Thank you.'],
  ['Thanks for watching!'],
  ['[BLANK_AUDIO]'],
  ['(soft music)'],
  ['♪ ♪'],
  ['*sighs*'],
  ['Subtitles by the Amara.org community'],
  ['you'],
  ['ご視聴ありがとうございました。'],
  ['¡Gracias por ver el vídeo!'],
  [' . . . '],
])('%s over silence is removed', (text) => {
  expect(cleanTranscript([part(0, 1000, text)], 1000)).toEqual([]);
});

test('a single real word is kept', () => {
  expect(texts(cleanTranscript([part(0, 900, 'Okay.')], 1000))).toEqual(['Okay.']);
});

test('thanks are kept only near other speech', () => {
  const parts = [
    part(0, 3000, 'The ferry leaves at nine.'),
    part(3200, 4000, 'Thank you.'),
    part(60_000, 61_000, 'Thank you.'),
  ];
  expect(texts(cleanTranscript(parts, 90_000))).toEqual([
    'The ferry leaves at nine.',
    'Thank you.',
  ]);
});

test('repetitions of a stuck model are written once', () => {
  const stuck = Array.from({ length: 6 }, (unused, index) =>
    part(index * 1000, index * 1000 + 900, 'Yes sir.'),
  );
  expect(texts(cleanTranscript([...stuck, part(7000, 8000, 'Go on.')], null))).toEqual([
    'Yes sir.',
    'Go on.',
  ]);
  const inside = part(0, 9000, 'We sail. We sail. We sail. We sail. We sail. Then home.');
  expect(texts(cleanTranscript([inside], null))).toEqual(['We sail. Then home.']);
});

test('marks for non-speech are removed', () => {
  const parts = [part(0, 4000, '[music] The tide (coughs) comes in.')];
  expect(texts(cleanTranscript(parts, 4000))).toEqual(['The tide comes in.']);
});

test.each([
  'Look at (a) and f(x), then 2 * 3 * 4.',
  'The code is 10 10 10 10 10.',
  'It takes a a a apple.',
  'There is so so so sorry sound.',
])('%s is unchanged', (text) => {
  expect(texts(cleanTranscript([part(0, 4000, text)], 4000))).toEqual([text]);
});

test('repeated numbers are kept', () => {
  const parts = [0, 1, 2, 3].map((at) => part(at * 1000, at * 1000 + 900, '7.'));
  expect(cleanTranscript(parts, 4000)).toEqual(parts);
});

test('a paragraph ends at a pause, at a chapter, and after a sentence once it is long enough', () => {
  const parts = [
    part(0, 15_000, 'One.'),
    part(15_000, 22_000, 'Two.'),
    part(22_000, 30_000, 'Three.'),
    part(33_000, 35_000, 'After a pause.'),
    part(35_000, 37_000, 'Still the first chapter.'),
    part(37_000, 39_000, 'The second.'),
  ];
  const paragraphs = toParagraphs(parts, [0, 37_000]);
  expect(paragraphs.map(({ startMs, endMs, text }) => part(startMs, endMs, text))).toEqual([
    part(0, 22_000, 'One. Two.'),
    part(22_000, 30_000, 'Three.'),
    part(33_000, 37_000, 'After a pause. Still the first chapter.'),
    part(37_000, 39_000, 'The second.'),
  ]);
});

test('a long part without timestamps is split between sentences', () => {
  const text = Array.from(
    { length: 20 },
    (unused, index) => `This is sentence number ${index}.`,
  ).join(' ');
  const paragraphs = toParagraphs([part(0, 120_000, text)]);
  expect(paragraphs.length).toBeGreaterThan(2);
  expect(texts(paragraphs).join(' ')).toBe(text);
  for (const { text: words } of paragraphs) expect(words).toMatch(/\.$/);
});

const parts = fc.array(
  fc.record({
    startMs: fc.integer({ min: -1000, max: 200_000 }),
    endMs: fc.integer({ min: -1000, max: 250_000 }),
    text: fc.string({ unit: 'grapheme', maxLength: 60 }),
  }),
  { maxLength: 40 },
);

test('times increase and stay within the recording for any transcript', () => {
  fc.assert(
    fc.property(parts, (spoken) => {
      const clean = cleanTranscript(spoken, 180_000);
      let lastStart = 0;
      for (const { startMs, endMs } of clean) {
        expect(startMs).toBeGreaterThanOrEqual(lastStart);
        expect(endMs).toBeGreaterThanOrEqual(startMs);
        expect(endMs).toBeLessThanOrEqual(180_000);
        lastStart = startMs;
      }
    }),
  );
});

test('no word is lost between parts and paragraphs, and no paragraph spans a long pause', () => {
  fc.assert(
    fc.property(parts, (spoken) => {
      const clean = cleanTranscript(spoken, 180_000);
      const paragraphs = toParagraphs(clean);
      const letters = (allParts: readonly TranscriptPart[]): string =>
        texts(allParts).join('').replace(/\s+/gu, '');
      expect(letters(paragraphs)).toBe(letters(clean));
      for (const [index, { startMs }] of paragraphs.entries()) {
        expect(startMs).toBeGreaterThanOrEqual(paragraphs[index - 1]?.startMs ?? 0);
      }
    }),
  );
});

test('a sentence has the times of the parts in which it is said', () => {
  const [paragraph] = toParagraphs([
    part(0, 2000, 'The tide'),
    part(2000, 4000, 'turns at noon.'),
    part(4000, 8000, 'We sail. We rest.'),
  ]);
  const { text = '', sentences = [] } = paragraph ?? {};
  expect(sentences.map(({ start, end, ...times }) => [text.slice(start, end), times])).toEqual([
    ['The tide turns at noon.', { startMs: 0, endMs: 4000 }],
    ['We sail.', { startMs: 4000, endMs: 5882 }],
    ['We rest.', { startMs: 6118, endMs: 8000 }],
  ]);
});

test('the sentences of a paragraph contain all its words, at increasing times', () => {
  fc.assert(
    fc.property(parts, (spoken) => {
      for (const { text, sentences, startMs, endMs } of toParagraphs(
        cleanTranscript(spoken, 180_000),
      )) {
        const words = sentences.map(({ start, end }) => text.slice(start, end)).join('');
        expect(words.replace(/\s+/gu, '')).toBe(text.replace(/\s+/gu, ''));
        let lastStart = startMs;
        for (const sentence of sentences) {
          expect(sentence.startMs).toBeGreaterThanOrEqual(lastStart);
          expect(sentence.endMs).toBeGreaterThanOrEqual(sentence.startMs);
          expect(sentence.endMs).toBeLessThanOrEqual(endMs);
          lastStart = sentence.startMs;
        }
      }
    }),
  );
});

import { describe, expect, test } from 'vitest';
import { besideQuestion } from '../beside.ts';

const beside = (text: string): string[] =>
  besideQuestion(text).map(({ start, end }) => text.slice(start, end));

describe('sentences beside a question', () => {
  test.each([
    ['Could you find the serial number of the heat pump? The insurer is asking.', 1],
    ["When is the party for Winifred's birthday? The hall is booked, I think.", 1],
    ['Wie hoch ist die Miete der Wohnung? Mein Vater fragt.', 1],
  ])('say nothing of what is asked: %s', (text, count) => {
    expect(beside(text)).toHaveLength(count);
  });

  test.each([
    'My database is corrupt. How can I rescue it?',
    'There was a power cut. How did the boxes go again?',
    'How much is the rent? And when is the deposit due?',
    'The rent was raised. The deposit was not.',
    'How much is the rent?',
  ])('are needed where the question does not stand alone, or is all there is: %s', (text) => {
    expect(beside(text)).toEqual([]);
  });
});

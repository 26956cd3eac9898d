import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complete, matchSuggestions } from '../components/suggestion-list.tsx';

const suggestions = [
  'Notice period',
  'How much notice does the lease ask for?',
  'unnoticed',
  'Lease.pdf',
  'İstanbul notice',
];
const found = (text: string) =>
  matchSuggestions(suggestions, text).map((match) => match.suggestion);

describe('suggestions', () => {
  it.each([
    ['', []],
    ['no', []],
    ['notice ', []],
    [
      'NOT',
      ['Notice period', 'How much notice does the lease ask for?', 'İstanbul notice', 'unnoticed'],
    ],
    [
      'how much not',
      ['How much notice does the lease ask for?', 'Notice period', 'İstanbul notice', 'unnoticed'],
    ],
    ['where is lea', ['Lease.pdf', 'How much notice does the lease ask for?']],
    ['xyz', []],
    ['notice period', ['How much notice does the lease ask for?'].slice(1)],
  ])('for %j are %j', (text, expected) => expect(found(text)).toEqual(expected));

  it('mark the typed word if its position is unambiguous', () => {
    expect(matchSuggestions(['unnoticed'], 'NOT')).toEqual([
      { suggestion: 'unnoticed', start: 2, end: 5 },
    ]);
    expect(matchSuggestions(['İstanbul notice'], 'not')).toMatchObject([{ start: 0, end: 0 }]);
  });

  it('treat decomposed accents like composed ones', () => {
    expect(matchSuggestions(['Ko\u0308ln.pdf'], 'köl')).toMatchObject([{ start: 0, end: 0 }]);
    expect(complete('in ko\u0308l', 'Köln.pdf')).toBe('in Köln.pdf');
  });

  it('are limited to eight, and never make a question too long', () => {
    const notices = Array.from({ length: 2000 }, (_, n) => `notice ${n}`);
    expect(matchSuggestions(notices, 'not')).toHaveLength(8);
    expect(matchSuggestions([`notice ${'x'.repeat(300)}`], 'not')).toEqual([]);
  });

  it('contain the last word of any input', () => {
    const words = fc.constantFrom('lease', 'Miete', '東京都', 'a.b*c', '(x)?', ' ', 'not');
    const texts = fc.array(words, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '));
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 20 }), texts, (list, text) => {
        for (const { suggestion, start, end } of matchSuggestions(list, text)) {
          const word = text.split(/\s/u).at(-1)?.toLowerCase();
          expect(suggestion.slice(start, end).toLowerCase()).toBe(word);
          expect(complete(text, suggestion).endsWith(suggestion)).toBe(true);
        }
      }),
    );
  });
});

describe('a chosen suggestion', () => {
  it.each([
    ['What is in bud', 'Budget.xlsx', 'What is in Budget.xlsx'],
    ['tell me the notice per', 'Notice period', 'tell me the Notice period'],
    ['when is the noti', 'How much notice is needed?', 'How much notice is needed?'],
    ['not', 'unnoticed', 'unnoticed'],
  ])('completes %j with %j to %j', (text, suggestion, result) =>
    expect(complete(text, suggestion)).toBe(result),
  );
});

import { describe, expect, test } from 'vitest';
import { analyzeQuestion } from '../../question/question.ts';
import { correctTypos, unfoundTerms } from '../typos.ts';

const passages = [{ text: 'The lighthouse keeper lived alone.', fileName: 'a.txt', headings: [] }];
const unfound = (text: string) => unfoundTerms(analyzeQuestion(text, ['en']), passages);

describe('possible typos', () => {
  test('only names and content words that no passage contains may be typos', () => {
    expect(unfound('Who kept the lihgthouse?')).toEqual(['lihgthous']);
    expect(unfound('Did the keepers of lighthouses live alone?')).toEqual([]);
    expect(unfound('Who is it?')).toEqual([]);
  });

  test('a typo counts as the most similar index term, and the search includes that term', () => {
    const question = analyzeQuestion('How much suger is in the cake?', ['en']);
    const corrected = correctTypos(question, ['suger'], ['sugar', 'surge', 'cake']);
    const word = corrected.terms.find(({ surface }) => surface === 'suger');
    expect(word?.variants).toEqual(expect.arrayContaining(['suger', 'sugar']));
    expect(corrected.query.split(' ')).toEqual(expect.arrayContaining(['suger', 'sugar', 'cake']));
    const cake = corrected.terms.find(({ surface }) => surface === 'cake');
    expect(cake).toEqual(question.terms.find(({ surface }) => surface === 'cake'));
  });

  test('a word stays as it is if no index term is similar', () => {
    const question = analyzeQuestion('How much suger is in the cake?', ['en']);
    expect(correctTypos(question, ['suger'], [])).toEqual(question);
  });
});

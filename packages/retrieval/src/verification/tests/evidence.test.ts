import { describe, expect, it } from 'vitest';
import { NO_ANSWER } from '../../answers/found-answer.ts';
import type { Evidence } from '../evidence.ts';
import { passage } from './verify.test-setup.ts';
import { createCitationVerifier } from '../citation-verifier.ts';

function verify(text: string, question: string, evidence: readonly Evidence[]) {
  const verifier = createCitationVerifier(question, evidence);
  verifier.push(text);
  return verifier.end().answer;
}

describe('computed figures', () => {
  const rows = [120, 80].map((amount, i) => {
    const quote = `Groceries ${amount}.00 EUR`;
    return {
      artifactId: 'bank',
      fileName: 'bank.csv',
      location: { line: i },
      quote,
      start: 30 * i,
      end: 30 * i + quote.length,
    };
  });
  const sum = passage('sum of Amount where Category = Groceries: 200 EUR over 2 rows', {
    figure: rows,
  });

  it('a computed figure is evidence, and its rows are cited', () => {
    const answer = verify('You spent 200 EUR on groceries [1].', 'How much for groceries?', [sum]);
    expect(answer.markdown).toBe('You spent 200 EUR on groceries. [1][2]');
    expect(answer.citations.map(({ quote }) => quote)).toEqual(rows.map(({ quote }) => quote));
  });

  it('a computed figure does not support another figure', () => {
    const answer = verify('You spent 210 EUR on groceries [1].', 'How much for groceries?', [sum]);
    expect(answer).toEqual({ markdown: NO_ANSWER, citations: [], grounded: false });
  });
});

describe('newer files with another value', () => {
  const old = passage('The monthly rent of the flat is 900 EUR.', { date: '2022-05-01' });
  const newer = passage('From June on the monthly rent of the flat is 950 EUR.', {
    artifactId: 'b',
    date: '2024-06-01',
  });
  const question = 'What is the rent of the flat?';
  const sentence = 'The monthly rent of the flat is 900 EUR [1].';

  it('a newer file is mentioned with a citation', () => {
    const answer = verify(sentence, question, [old, newer]);
    expect(answer.markdown).toBe(
      `The monthly rent of the flat is 900 EUR. [1]\n\nA newer file differs: “${newer.text}” [2]`,
    );
    expect(answer.citations[1]?.artifactId).toBe('b');
  });

  it.each([
    ['is older', sentence, { ...newer, date: '2020-01-01' }],
    ['has no date', sentence, { ...newer, date: null }],
    ['says the same', sentence, { ...newer, text: newer.text.replace('950', '900') }],
    ['is about another thing', sentence, { ...newer, text: 'The rent of a garage is 60 EUR.' }],
    ['is named by the answer', `${sentence} Since June the monthly rent is 950 EUR [2].`, newer],
  ])('a newer file is not mentioned if it %s', (_, text, newerFile) => {
    expect(verify(text, question, [old, newerFile]).markdown).not.toContain('newer file');
  });

  it('a newer file is not mentioned if the question names a time, or the files are recurring ones such as statements', () => {
    const [june, july] = [old, newer].map((file) => ({ ...file, kind: 'statement' }));
    expect(verify(sentence, question, [june!, july!]).markdown).not.toContain('newer file');
    expect(verify(sentence, 'What was the rent in 2022?', [old, newer]).markdown).not.toContain(
      'newer file',
    );
    const contracts = [old, newer].map((file) => ({ ...file, kind: 'contract' }));
    expect(verify(sentence, question, contracts).markdown).toContain('newer file');
  });
});

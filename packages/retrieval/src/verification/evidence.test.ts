import { describe, expect, it } from 'vitest';
import { NO_ANSWER } from '../answer/answer.ts';
import type { Evidence } from './evidence.ts';
import { passage } from './verify.test-setup.ts';
import { createCitationVerifier } from './verify-citations.ts';

function verify(text: string, question: string, given: readonly Evidence[]) {
  const verifier = createCitationVerifier(question, given);
  verifier.push(text);
  return verifier.end().answer;
}

describe('a computed figure', () => {
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
    figure: { computed: { operation: 'sum', value: 200, rows: 2 }, rows },
  });

  it('is evidence: it is told of, and its rows are cited', () => {
    const answer = verify('You spent 200 EUR on groceries [1].', 'How much for groceries?', [sum]);
    expect(answer.markdown).toBe('You spent 200 EUR on groceries. [1][2]');
    expect(answer.computed).toEqual({ operation: 'sum', value: 200, rows: 2 });
    expect(answer.citations.map(({ quote }) => quote)).toEqual(rows.map(({ quote }) => quote));
  });

  it('is no evidence for another one', () => {
    const answer = verify('You spent 210 EUR on groceries [1].', 'How much for groceries?', [sum]);
    expect(answer).toEqual({ markdown: NO_ANSWER, citations: [], grounded: false });
  });
});

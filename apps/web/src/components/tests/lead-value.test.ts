import { expect, test } from 'vitest';
import { leadValue } from '../lead-value.ts';

test.each([
  [
    '**€ 42.00** (sum of Amount)\n\n| a |',
    { value: '€ 42.00', of: 'Sum of Amount', rest: '| a |' },
  ],
  ['**3** [1][2]\n\nMore.', { value: '3', of: '', rest: '[1][2]\n\nMore.' }],
  ['**30**', { value: '30', of: '', rest: '' }],
  ['**a\\*b: 3**', { value: 'a*b: 3', of: '', rest: '' }],
])('%j begins with its value', (markdown, expected) => {
  expect(leadValue(markdown)).toEqual(expected);
});

test.each([
  '**Three** invoices are open. [1]',
  'You paid **30**.',
  '**30',
  '****',
  '**30 [1]** (sum)',
  '**30** (sum [1])',
  `**${'long '.repeat(20)}**`,
  '',
])('%j does not begin with a value that stands by itself', (markdown) => {
  expect(leadValue(markdown)).toBeNull();
});

import { expect, test } from 'vitest';
import { rank } from '../components/palette.tsx';

const ranked = (items: string[], typed: string) => rank(items, typed, (item) => item);

test('entries that begin with the input are first, then those with such a word, then the rest', () => {
  const names = [
    'Release notes',
    'Office lease.pdf',
    'Bill.pdf',
    'Lease 2024.pdf',
    'old-lease.txt',
  ];
  expect(ranked(names, ' leaSe ')).toEqual([
    'Lease 2024.pdf',
    'Office lease.pdf',
    'old-lease.txt',
    'Release notes',
  ]);
});

test('accents are ignored, punctuation is literal, and an empty input keeps all entries in order', () => {
  expect(ranked(['Mein Übertrag', 'Notes'], 'uber')).toEqual(['Mein Übertrag']);
  expect(ranked(['C++ (basics)', 'C basics'], 'c++ (')).toEqual(['C++ (basics)']);
  expect(ranked(['b', 'a'], '  ')).toEqual(['b', 'a']);
});

test('a later occurrence may begin a word', () => {
  expect(ranked(['Release of the lease', 'Released'], 'lease')).toEqual([
    'Release of the lease',
    'Released',
  ]);
});

import { expect, test } from 'vitest';
import { rank } from '../components/palette.tsx';

const ranked = (items: string[], typed: string) => rank(items, typed, (item) => item);

test('what begins with the typed comes first, then what has a word that does, then the rest', () => {
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

test('accents make no difference, signs are signs, and nothing typed leaves all as it was', () => {
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

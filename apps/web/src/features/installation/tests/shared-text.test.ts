import { expect, it } from 'vitest';
import { noteOf } from '../shared-text.ts';

const note = (title: string, text: string, url: string, files: File[] = []): string =>
  noteOf({ title, text, url, files });

it.each([
  ['Lease', 'Three months.', 'https://a.test/b', 'Lease\nThree months.\nhttps://a.test/b'],
  ['Lease', 'Lease: three months.', '', 'Lease: three months.'],
  ['', 'See https://a.test/b', 'https://a.test/b', 'See https://a.test/b'],
  ['A page', 'https://a.test/b', '', 'A page\nhttps://a.test/b'],
  [' Only a title ', ' ', '', 'Only a title'],
  ['', '', '', ''],
])('%j, %j and %j make a note', (title, text, url, expected) => {
  expect(note(title, text, url)).toBe(expected);
});

it('takes a title for the name of the files that it came with', () => {
  const files = [new File(['x'], 'lease.pdf')];
  expect(note('lease.pdf', '', '', files)).toBe('');
  expect(note('lease.pdf', 'Signed', '', files)).toBe('lease.pdf\nSigned');
});

import { expect, it } from 'vitest';
import { fitFiles, MAX_BYTES, MAX_FILES, noteOf, pageOf } from '../share-inbox.ts';

/** A file with a given size, whose bytes do not matter. */
const fileOf = (name: string, size: number): File =>
  Object.defineProperty(new File([], name), 'size', { value: size });

it('a file that exceeds the space is left out, and later ones are stored', () => {
  const storedShares = [{ files: [fileOf('there', MAX_BYTES - 10)] }];
  const { accepted, leftOut } = fitFiles(
    [fileOf('a', 6), fileOf('b', 5), fileOf('c', 4)],
    storedShares,
  );
  expect(accepted.map((file) => file.name)).toEqual(['a', 'c']);
  expect(leftOut).toEqual(['b']);
});

it('the number of shared files is limited', () => {
  const files = Array.from({ length: MAX_FILES + 2 }, (_, n) => fileOf(`${n}`, 1));
  expect(fitFiles(files, []).leftOut).toEqual([`${MAX_FILES}`, `${MAX_FILES + 1}`]);
});

const note = (title: string, text: string, url: string, files: File[] = []): string =>
  noteOf({ title, text, url, files });

it.each([
  ['Lease', 'Three months.', 'https://a.test/b', 'Lease\nThree months.\nhttps://a.test/b'],
  ['Lease', 'Lease: three months.', '', 'Lease: three months.'],
  ['', 'See https://a.test/b', 'https://a.test/b', 'See https://a.test/b'],
  ['A page', 'https://a.test/b', '', 'A page\nhttps://a.test/b'],
  [' Only a title ', ' ', '', 'Only a title'],
  ['', '', '', ''],
])('the title %j, the text %j and the address %j make a note', (title, text, url, expected) => {
  expect(note(title, text, url)).toBe(expected);
});

it('a title with files is treated as their name', () => {
  const files = [new File(['x'], 'lease.pdf')];
  expect(note('lease.pdf', '', '', files)).toBe('');
  expect(note('lease.pdf', 'Signed', '', files)).toBe('lease.pdf\nSigned');
});

it.each([
  ['A page', '', 'https://a.test/b', 'https://a.test/b'],
  ['A page', 'https://a.test/b', '', 'https://a.test/b'],
  ['A page', 'A page', 'https://a.test/b', 'https://a.test/b'],
  ['', 'https://a.test/b', 'https://a.test/b', 'https://a.test/b'],
  ['A page', '"A quote" https://a.test/b', '', ''],
  ['A page', 'A quote', 'https://a.test/b', ''],
  ['A page', 'ftp://a.test/b', '', ''],
])(
  'the title %j, the text %j and the address %j are the web page %j',
  (title, text, url, expected) => {
    expect(pageOf({ title, text, url, files: [] })).toBe(expected);
  },
);

it('text that comes with files is not treated as a web page', () => {
  const files = [new File([], 'a.png')];
  expect(pageOf({ title: '', text: '', url: 'https://a.test/b', files })).toBe('');
});

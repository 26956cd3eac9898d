import { countWords } from '@engram/contract';
import { expect, it } from 'vitest';
import { mergeContent, type PanelContent } from '../merge-content.ts';

const shared = (overrides: Partial<PanelContent>): PanelContent => ({
  id: crypto.randomUUID(),
  files: [],
  text: '',
  title: '',
  leftOut: [],
  page: '',
  ...overrides,
});

const words = (count: number): string => 'word '.repeat(count).trim();

it('new text is added below existing text', () => {
  const merged = mergeContent([shared({ text: 'One' }), shared({ text: 'Two' })], {
    text: 'Mine ',
    page: '',
  });
  expect(merged).toMatchObject({ files: [], text: 'Mine\n\nOne\n\nTwo', notice: null });
});

it('new files do not change the text', () => {
  const file = new File(['x'], 'a.pdf');
  expect(mergeContent([shared({ files: [file] })], { text: ' typing ', page: '' })).toEqual({
    files: [file],
    text: ' typing ',
    page: '',
    notice: null,
  });
});

it.each([
  ['Rent: 2026/27?', 'Rent 2026 27.txt'],
  ['../../etc/passwd', '.. .. etc passwd.txt'],
  [' \n ', 'Shared text.txt'],
  ['x'.repeat(500), `${'x'.repeat(60)}.txt`],
])('text that is too long becomes a file, named after %j', async (title, name) => {
  const text = words(501);
  const merged = mergeContent([shared({ title, text })], { text: 'Mine', page: '' });
  expect(merged.text).toBe('Mine');
  expect(merged.files.map((file) => file.name)).toEqual([name]);
  expect(merged.files[0]?.size).toBe(text.length);
  expect(merged.notice).toBe(
    `Maximum word limit reached of 500 words, so the shared text became the file ${name}.`,
  );
});

it('existing words count towards the limit', () => {
  const merged = mergeContent([shared({ text: words(300) })], { text: words(300), page: '' });
  expect(countWords(merged.text)).toBe(300);
  expect(merged.files).toHaveLength(1);
});

it('files that could not be added are named', () => {
  expect(
    mergeContent([shared({ leftOut: ['a.mkv', 'b.mkv'] })], { text: '', page: '' }).notice,
  ).toBe('There was no space for a.mkv, b.mkv. Choose these files here instead.');
});

it('the first address becomes the web page, and further ones are added to the text', () => {
  const pages = ['https://a.test/1', 'https://a.test/2', 'https://a.test/1'];
  const content = pages.map((page) => shared({ page }));
  const { text, page } = mergeContent(content, { text: '', page: '' });
  expect({ text, page }).toEqual({ text: 'https://a.test/2', page: 'https://a.test/1' });
});

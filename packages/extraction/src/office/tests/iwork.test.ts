import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { extract, type FileType, memberOf, readingViewOf } from '../../index.ts';

const fixture = (path: string, type: FileType) => {
  const file = join(import.meta.dirname, '..', '..', '..', 'fixtures', path);
  return { bytes: new Uint8Array(readFileSync(file)), fileName: path, type };
};

test('the view of an iWork document shows the text or the picture of its preview', async () => {
  const { html } = await readingViewOf(fixture('250-pages/Minutes.pages', 'pages'));
  expect(html).toContain('The harbour of Heron Island was built in the year of the great storm');
  expect(html).toMatch(/<h\d[^<>]*>1 The Wall</);
  const picture = await readingViewOf(fixture('251-numbers/Budget.numbers', 'numbers'));
  expect(picture.html).toContain('<img src="data:image/webp;base64,');
});

test('the picture of a preview is found by its path, and its recognized text is extracted', async () => {
  const budget = fixture('251-numbers/Budget.numbers', 'numbers');
  expect(await memberOf(budget.bytes, 'preview.jpg')).toMatchObject({ type: 'jpeg' });
  const word = { text: 'Budget', left: 0.1, top: 0.1, width: 0.2, height: 0.1 };
  const page = { page: 1, path: 'preview.jpg', lines: [{ block: 1, words: [word] }] };
  const { text, segments } = await extract({ ...budget, supplements: { pages: [page] } });
  expect(text.trim()).toBe('Budget');
  expect(segments[0]?.location).toMatchObject({ path: 'preview.jpg' });
});

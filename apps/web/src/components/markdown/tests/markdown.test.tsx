import { HeadlessMantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import Markdown from '../markdown.tsx';
import { unescapeMarkdown } from '../markdown-text.ts';

const show = (text: string) =>
  render(
    <Markdown renderCitation={(n) => (n < 3 ? <button type="button">Source {n}</button> : null)}>
      {text}
    </Markdown>,
    { wrapper: HeadlessMantineProvider },
  ).container;

test('numbers in brackets are citations, right behind their words', () => {
  const page = show('Three months [1], and **back** [2].');
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual([
    'Source 1',
    'Source 2',
  ]);
  expect(page.textContent).toBe('Three monthsSource 1, and backSource 2.');
});

test('a number that is no source stays what it was', () => {
  expect(show('See [7].').textContent).toBe('See [7].');
});

test('a sentence that could not be verified is marked, with words for everybody', () => {
  const page = show('Three months. [1] It was **two** once. [unverified] More. [2]');
  const sentence = page.querySelector('[data-unverified="sentence"]');
  expect(sentence?.textContent).toBe('It was two once.');
  expect(page.querySelector('small')?.textContent).toBe(
    'not verified: this could not be found in your files',
  );
  expect(page.textContent).not.toContain('[unverified]');
});

test('blocks are blocks: steps are a numbered list, code and tables scroll by keyboard', () => {
  show(
    'First [1]:\n\n1. Stop it.\n2. Run this:\n\n```\nsystemctl restart engram\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
  );
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Stop it.',
    'Run this:',
  ]);
  const code = screen.getByRole('region', { name: 'Code' });
  expect(code.textContent).toBe('systemctl restart engram\n');
  expect([code.tabIndex, screen.getByRole('region', { name: 'Table' }).tabIndex]).toEqual([0, 0]);
});

test('columns of figures stand to the right, the numbers of sources do not', () => {
  show(
    '| Month | Amount | Note | Source |\n| --- | --- | --- | --- |\n| May | € 1,204.50 | 3 of 4 | [1] |\n| June | -12.00 EUR | | [2] |',
  );
  const sides = screen
    .getAllByRole('columnheader')
    .map((cell) => [cell.textContent, cell.style.textAlign]);
  expect(sides).toEqual([
    ['Month', ''],
    ['Amount', 'right'],
    ['Note', ''],
    ['Source', ''],
  ]);
});

test('in code nothing is a citation', () => {
  show('`list[1]`');
  expect(screen.queryByRole('button')).toBeNull();
});

test('a text cannot turn a citation into a link', () => {
  const page = show('Three months [1].\n\n[1]: https://evil.example');
  expect(page.querySelector('a')).toBeNull();
  expect(screen.getByRole('button').textContent).toBe('Source 1');
});

test.each([
  '<script>window.hacked = true</script>',
  '<img src=x onerror="window.hacked = true">',
  '<iframe src="https://evil.example"></iframe>',
  '<cite data-n="1">fake</cite>',
])('raw HTML stands there as text: %s', (html) => {
  const page = show(`Before ${html} after`);
  expect(page.querySelector('script, img, iframe, cite, button')).toBeNull();
  expect(page.textContent).toContain(html);
});

test.each([
  '[click](javascript:alert(1))',
  '[click](JaVaScRiPt:alert(1))',
  '[click](data:text/html;base64,PHNjcmlwdD4=)',
  '[click](vbscript:x)',
  '[click](/v1/auth/logout)',
  '[click](//evil.example)',
])('a link that does not lead to the web is its text: %s', (link) => {
  const page = show(link);
  expect(page.querySelector('a')).toBeNull();
  expect(page.textContent).toBe('click');
});

test('a link to the web says where it leads, and hands nothing over', () => {
  const page = show('[your bank](https://evil.example/login)');
  const link = page.querySelector('a')!;
  expect(link.href).toBe('https://evil.example/login');
  expect(link.rel).toBe('noopener noreferrer nofollow');
  expect(link.target).toBe('_blank');
  expect(page.textContent).toBe('your bank (evil.example)');
});

test('a remote image is never fetched', () => {
  const page = show('![a cat](https://evil.example/pixel.png)');
  expect(page.querySelector('img')).toBeNull();
  expect(page.textContent).toBe('a cat (evil.example)');
});

test('escapes are for Markdown, not for what is copied', () => {
  expect(unescapeMarkdown('5 \\* 3 \\[x\\] C:\\Users \\\\')).toBe('5 * 3 [x] C:\\Users \\');
});

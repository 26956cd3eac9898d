import { HeadlessMantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import Markdown from '../markdown.tsx';
import { unescapeMarkdown } from '../markdown-text.ts';

const renderMarkdown = (text: string) =>
  render(
    <Markdown renderCitation={(n) => (n < 3 ? <button type="button">Source {n}</button> : null)}>
      {text}
    </Markdown>,
    { wrapper: HeadlessMantineProvider },
  ).container;

test('numbers in brackets are citations directly after their words', () => {
  const page = renderMarkdown('Three months [1], and **back** [2].');
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual([
    'Source 1',
    'Source 2',
  ]);
  expect(page.textContent).toBe('Three monthsSource 1, and backSource 2.');
});

test('a number without a source stays text', () => {
  expect(renderMarkdown('See [7].').textContent).toBe('See [7].');
});

test('an unverified sentence is marked, with a text for screen readers', () => {
  const page = renderMarkdown('Three months. [1] It was **two** once. [unverified] More. [2]');
  const sentence = page.querySelector('[data-unverified="sentence"]');
  expect(sentence?.textContent).toBe('It was two once.');
  expect(page.querySelector('small')?.textContent).toBe(
    'not verified: this could not be found in your files',
  );
  expect(page.textContent).not.toContain('[unverified]');
});

test('steps become a numbered list, and code and tables can be scrolled by keyboard', () => {
  renderMarkdown(
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

test('columns of figures are aligned right, but citations are not', () => {
  renderMarkdown(
    '| Month | Amount | Note | Source |\n| --- | --- | --- | --- |\n| May | € 1,204.50 | 3 of 4 | [1] |\n| June | -12.00 EUR | | [2] |',
  );
  const alignments = screen
    .getAllByRole('columnheader')
    .map((cell) => [cell.textContent, cell.style.textAlign]);
  expect(alignments).toEqual([
    ['Month', ''],
    ['Amount', 'right'],
    ['Note', ''],
    ['Source', ''],
  ]);
});

test('code contains no citations', () => {
  renderMarkdown('`list[1]`');
  expect(screen.queryByRole('button')).toBeNull();
});

test('the text cannot turn a citation into a link', () => {
  const page = renderMarkdown('Three months [1].\n\n[1]: https://evil.example');
  expect(page.querySelector('a')).toBeNull();
  expect(screen.getByRole('button').textContent).toBe('Source 1');
});

test.each([
  '<script>window.hacked = true</script>',
  '<img src=x onerror="window.hacked = true">',
  '<iframe src="https://evil.example"></iframe>',
  '<cite data-n="1">fake</cite>',
])('raw HTML is shown as text: %s', (html) => {
  const page = renderMarkdown(`Before ${html} after`);
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
])('a link that is not a web address is shown as text: %s', (link) => {
  const page = renderMarkdown(link);
  expect(page.querySelector('a')).toBeNull();
  expect(page.textContent).toBe('click');
});

test('a web link shows its target, and sends no referrer', () => {
  const page = renderMarkdown('[your bank](https://evil.example/login)');
  const link = page.querySelector('a')!;
  expect(link.href).toBe('https://evil.example/login');
  expect(link.rel).toBe('noopener noreferrer nofollow');
  expect(link.target).toBe('_blank');
  expect(page.textContent).toBe('your bank (evil.example)');
});

test('a remote image is never loaded', () => {
  const page = renderMarkdown('![a cat](https://evil.example/pixel.png)');
  expect(page.querySelector('img')).toBeNull();
  expect(page.textContent).toBe('a cat (evil.example)');
});

test('copied text has no Markdown escapes', () => {
  expect(unescapeMarkdown('5 \\* 3 \\[x\\] C:\\Users \\\\')).toBe('5 * 3 [x] C:\\Users \\');
});

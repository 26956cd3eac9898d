import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { useJourney } from './journey.test-setup.ts';
import { collectProblems, startUser } from './user.test-setup.ts';

const QUESTION = 'How much notice does the lease ask for?';

describe.skipIf(!process.env['CHROMIUM_PATH'])('a shared answer', () => {
  const journey = useJourney();
  /** The pages of the user who shares, and of a visitor who has only the link. */
  let page: Page;
  let visitor: Page;
  let link = '';
  const problems: string[] = [];
  const requests: Request[] = [];

  beforeAll(async () => {
    const lease = await readFile(path.resolve(import.meta.dirname, 'files/lease.pdf'));
    const files = [{ name: 'lease.pdf', content: new Blob([new Uint8Array(lease)]) }];
    const ann = await startUser(journey.engram, 'ann@example.org', files);
    page = await ann.openPage(journey.browser, problems, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const context = await journey.browser.newContext({ viewport: { width: 360, height: 740 } });
    visitor = await context.newPage();
    collectProblems(visitor, problems);
    visitor.on('request', (request) => requests.push(request));
  });

  test('gets a link that can be copied', async () => {
    await page.goto(`${journey.engram.url}/search`);
    const input = page.getByRole('textbox', { name: 'Ask your AI Brain anything' });
    await input.fill(QUESTION);
    await input.press('Enter');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Share this answer' });
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByText('Your files stay private.').waitFor();
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('The link is copied.').waitFor();
    link = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(link).toMatch(new RegExp(`^${journey.engram.url}/shared/[\\w-]{43}$`, 'u'));
  });

  test('opens for anyone with the link, without a session and without the files', async () => {
    await visitor.goto(link);
    await visitor.getByRole('heading', { level: 1, name: QUESTION }).waitFor();
    const text = await visitor.getByRole('main').innerText();
    expect(text).toContain('three months');
    expect(text).toContain('PST');
    await visitor.getByRole('link', { name: 'Source 1: lease.pdf, page 2' }).first().click();
    const source = visitor.getByRole('listitem').filter({ hasText: 'lease.pdf' }).first();
    expect(await source.innerText()).toContain('Page 2');
    expect(new URL(visitor.url()).hash).toBe('#source-1');
    expect(await visitor.title()).toContain(QUESTION);
    expect(await visitor.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    const robots = visitor.locator('meta[name="robots"]');
    expect(await robots.getAttribute('content')).toContain('noindex');

    const calls = requests.filter((request) => request.url().includes('/v1/'));
    expect(calls.map((call) => new URL(call.url()).pathname.split('/')[2]).toSorted()).toEqual([
      'settings',
      'shares',
    ]);
    for (const call of calls) {
      const headers = await call.allHeaders();
      expect([headers['authorization'], headers['cookie']]).toEqual([undefined, undefined]);
    }
    // The page loads nothing from other servers.
    expect(requests.filter((request) => !request.url().startsWith(journey.engram.url))).toEqual([]);
  });

  test('links to the home page', async () => {
    await visitor.getByRole('link', { name: 'Answered by Engram' }).click();
    await visitor.waitForURL('**/home');
    await visitor.goBack();
    await visitor.getByRole('heading', { level: 1, name: QUESTION }).waitFor();
  });

  test('is listed in the history, and unavailable once it is revoked', async () => {
    await page.goto(`${journey.engram.url}/history`);
    await page.getByRole('button', { name: 'Shared answers' }).click();
    const dialog = page.getByRole('dialog', { name: 'Shared answers' });
    await dialog.getByRole('link', { name: QUESTION }).waitFor();
    await dialog.getByRole('button', { name: `Stop sharing: ${QUESTION}` }).click();
    await dialog.getByText('Nothing is shared').waitFor();

    expect(problems).toEqual([]);
    for (const tab of [visitor, page]) {
      await tab.goto(link);
      await tab.getByRole('heading', { name: 'This answer is no longer shared.' }).waitFor();
      expect(await tab.getByText('three months').count()).toBe(0);
    }
  });
});

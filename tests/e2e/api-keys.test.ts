import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { enterCode } from './engram.ts';
import { useJourney } from './journey.test-setup.ts';
import { startUser } from './user.test-setup.ts';

/** Resolves once a heading is a hundred pixels below the window's top. */
async function waitUntilScrolledTo(page: Page, id: string): Promise<void> {
  const top = `Math.round(document.getElementById('${id}')?.getBoundingClientRect().top ?? -1)`;
  await expect.poll(() => page.evaluate(top)).toBe(100);
}

describe.skipIf(!process.env['CHROMIUM_PATH'])('a user’s own program', () => {
  const journey = useJourney();
  let page: Page;
  let ann: Awaited<ReturnType<typeof startUser>>;
  let key = '';
  const problems: string[] = [];

  beforeAll(async () => {
    const files = [{ name: 'lease.txt', content: new Blob(['The lease ends in May.']) }];
    ann = await startUser(journey.engram, 'ann@example.org', files);
    page = await ann.openPage(journey.browser, problems, {
      viewport: { width: 1440, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
  });

  const answerTo = (text: string) =>
    fetch(`${journey.engram.url}/v1/search`, {
      method: 'POST',
      headers: { 'ENGRAM-API-KEY': key, 'content-type': 'application/json' },
      body: JSON.stringify({ text, audio: false }),
    });
  const upload = (name: string, content: string) => {
    const body = new FormData();
    body.set('files', new Blob([content]), name);
    const headers = { 'ENGRAM-API-KEY': key };
    return fetch(`${journey.engram.url}/v1/artifacts/upload`, { method: 'POST', headers, body });
  };

  test('gets a key, which is shown and copied once', async () => {
    await page.goto(`${journey.engram.url}/settings`);
    await page.getByRole('textbox', { name: 'Name of the new key' }).fill('Nightly import');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Your new API key' });
    await dialog.getByRole('button', { name: 'Copy' }).press('Enter');
    await dialog.getByText('API Key Copied!').waitFor();
    key = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(key).toMatch(/^eg_[\w-]{43}$/u);
    await dialog.getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByText(`eg…${key.slice(-3)}`).waitFor();
    expect(await page.content()).not.toContain(key);
  });

  test('uploads and asks with it, and the page shows its last use', async () => {
    await page.getByText('Last used never').waitFor();
    expect((await upload('boathouse.txt', 'The boathouse is painted green.')).status).toBe(200);
    await ann.settled();
    for (const [question, answer] of [
      ['When does the lease end?', 'The lease ends in May.'],
      ['What colour is the boathouse painted?', 'The boathouse is painted green.'],
    ] as const) {
      const response = await answerTo(question);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain(answer);
    }
    await page.reload();
    await page.locator('[data-moment="Last used"] time').waitFor();
    await page
      .getByRole('link', { name: /^Files/u })
      .first()
      .click();
    const row = page.getByRole('row').filter({ hasText: 'boathouse.txt' });
    await row.getByText('API', { exact: true }).waitFor();
    await page.goBack();
  });

  test('is described in the documentation, whose link opens the section', async () => {
    await page.getByRole('link', { name: 'documentation' }).click();
    await page.waitForURL('**/documentation#authentication');
    await waitUntilScrolledTo(page, 'authentication-title');
    const contents = page.getByRole('navigation', { name: 'Documentation' });
    const before = Number(await page.evaluate('scrollY'));
    // The page scrolls smoothly. It is watched from before the click, because the scrolling may end soon.
    const scrolling = page.evaluate<number[]>(
      `new Promise((resolve) => {
        const seen = [];
        const look = () => { seen.push(scrollY); requestAnimationFrame(look); };
        addEventListener('scrollend', () => scrollY !== seen[0] && resolve(seen));
        look();
      })`,
    );
    const link = contents.getByRole('link', { name: 'Search History' });
    const [positions] = await Promise.all([scrolling, link.click()]);
    expect(
      positions.filter((position) => position > before && position < (positions.at(-1) ?? 0)),
    ).not.toEqual([]);
    await waitUntilScrolledTo(page, 'search-history-title');
    await contents.locator('[aria-current]', { hasText: /^Search History$/u }).waitFor();
    await page.evaluate('scrollTo({ top: 0, behavior: "instant" })');
    await contents.locator('[aria-current]', { hasText: 'Introduction' }).waitFor();
  });

  test('returns links to an assistant that open the source after a sign-in', async () => {
    const call = { name: 'search', arguments: { query: 'When does the lease end?' } };
    const response = await fetch(`${journey.engram.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    });
    const [, data = ''] = /^data: (.*)$/mu.exec(await response.text()) ?? [];
    const { result } = JSON.parse(data) as {
      result: { structuredContent: { results: { url: string }[] } };
    };
    const link = result.structuredContent.results[0]?.url ?? '';
    const context = await journey.browser.newContext({ serviceWorkers: 'block' });
    const visitor = await context.newPage();
    await visitor.goto(link);
    await visitor.getByRole('textbox', { name: /mail/iu }).fill('ann@example.org');
    await visitor.keyboard.press('Enter');
    await enterCode(visitor, journey.engram, 'ann@example.org');
    const viewer = visitor.locator('[data-evidence][aria-label="Passage 1: lease.txt"]');
    await viewer.locator('mark').waitFor();
    expect(await viewer.locator('mark').first().innerText()).toBe('The lease ends in May.');
    expect(visitor.url()).toBe(link);
    await context.close();
  });

  test('is refused once the key is revoked', async () => {
    await page.goto(`${journey.engram.url}/settings#api-keys`);
    await page.getByRole('button', { name: 'Revoke Nightly import' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke API key' });
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked API successfully').waitFor();
    await page.getByText('No API keys yet').waitFor();
    for (const response of [
      await answerTo('When does the lease end?'),
      await upload('more.txt', 'More.'),
    ]) {
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ code: 'invalid_api_key' });
    }
    expect(problems).toEqual([]);
  });
});

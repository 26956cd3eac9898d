import { createClient } from '@engram/client';
import { createShare, listHistory, search, type SearchData } from '@engram/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type MisbehavingModel,
  startMisbehavingModel,
} from '../../apps/server/src/tests/misbehaving-model.test-setup.ts';
import { uploadAndWait } from './user.test-setup.ts';
import { type Stage, startStage } from './stage.test-setup.ts';

/** Text of a file that a model repeats exactly, so that its citations are valid. */
const HOSTILE = [
  'The harbour code is HB7 <script>window.hacked = "script"</script> as of today.',
  'The harbour code is on <img src="https://evil.example/a.png" onerror="window.hacked = 1"> the wall.',
  'The harbour code is in <svg onload="window.hacked = 2"><use href="https://evil.example/b.svg"/></svg> the drawing.',
  'The harbour code is behind [this page](javascript:window.hacked=3) for guests.',
  'The harbour code is behind [that page](data:text/html;base64,PHNjcmlwdD4=) for crews.',
  'The harbour code is ![a map](https://evil.example/c.png) on the map.',
  'The harbour code is <iframe src="https://evil.example/d"></iframe> in the frame.',
  'The harbour code is <a href="/v1/auth/logout" style="position:fixed;inset:0">here</a> in the link.',
  'The harbour code is <style>@import "https://evil.example/e.css";</style> in the style.',
  'The harbour code is <form action="https://evil.example/f"><input autofocus onfocus="window.hacked = 4"></form> in the form.',
];
const QUESTION = 'What is the harbour code?';

/** Runs in the page: inserts the markup, and returns the violations of the policy. */
const insert = (markup: string): string => `(async () => {
  const directives = new Set();
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    directives.add(effectiveDirective);
  });
  const script = document.createElement('script');
  script.textContent = 'window.hacked = "inline"';
  const place = document.createElement('div');
  place.innerHTML = ${JSON.stringify(markup)};
  document.body.append(script, place);
  await fetch('https://evil.example/g').catch(() => undefined);
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return [...directives];
})()`;

describe.skipIf(!process.env['CHROMIUM_PATH'])('a malicious answer', () => {
  let model: MisbehavingModel;
  let stage: Stage;
  let shared: string;
  let answer: SearchData;

  beforeAll(async () => {
    model = await startMisbehavingModel();
    stage = await startStage({
      ENGRAM_LLM: 'openai:test-model',
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: 'k',
    });
    const client = createClient({ baseUrl: `${stage.engram.url}/v1`, token: () => stage.token });
    const content = new Blob([HOSTILE.join('\n\n')]);
    await uploadAndWait(client, [{ name: 'harbour.txt', content }]);
    model.behave({
      kind: 'answer',
      pieces: HOSTILE.map((sentence) => `${sentence.slice(0, -1)} [1].\n\n`),
    });
    const { data } = await client.call(search, { body: { text: QUESTION, audio: false } });
    answer = data;
    const { data: entries } = await client.call(listHistory, { query: {} });
    const entry = entries.find(({ searchText }) => searchText === QUESTION);
    const { data: share } = await client.call(createShare, {
      body: { historyId: entry?.id ?? '' },
    });
    shared = share.id;
  });
  afterAll(async () => {
    await stage?.close();
    await model?.close();
  });

  /** Opens a page that records and blocks requests to other servers. */
  async function openWatchedPage(as: 'user' | 'visitor') {
    const page = await stage.newPage(as, { viewport: { width: 1440, height: 900 } });
    const requests: string[] = [];
    const { origin } = new URL(stage.engram.url);
    await page.context().route('**/*', (route) => {
      const url = route.request().url();
      if (url.startsWith(`${origin}/`)) return route.continue();
      requests.push(url);
      return route.abort();
    });
    page.on('dialog', (dialog) => {
      requests.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('popup', (popup) => requests.push(`popup: ${popup.url()}`));
    return { page, asked: requests };
  }

  async function expectHarmless(page: Page, asked: string[]): Promise<void> {
    const main = page.getByRole('main');
    await main.getByText('evil.example').first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    const selector =
      'script, iframe, object, embed, form[action], style, svg use, [onerror], [onload]';
    expect(await main.locator(selector).count()).toBe(0);
    expect(
      await main.locator('img[src*="evil"], a[href^="javascript:"], a[href^="data:"]').count(),
    ).toBe(0);
    expect(await main.locator('a[href*="auth/logout"]').count()).toBe(0);
    expect(asked).toEqual([]);
  }

  test('is shown as the model wrote it', () => {
    expect(answer.citations).toHaveLength(HOSTILE.length);
    expect(answer.answers[0]).toContain('window.hacked');
  });

  test('neither runs nor loads anything when it arrives', async () => {
    const { page, asked } = await openWatchedPage('user');
    await page.goto(`${stage.engram.url}/search`);
    const input = page.getByRole('textbox', { name: 'Ask your AI Brain anything' });
    await input.fill(QUESTION);
    await input.press('Enter');
    await page.getByRole('button', { name: 'Copy' }).first().waitFor();
    await expectHarmless(page, asked);

    await page
      .getByRole('button', { name: /^Source 1:/u })
      .first()
      .click();
    await page.locator('[data-evidence]').getByTestId('quote').first().waitFor();
    await expectHarmless(page, asked);
    await page.context().close();
  });

  test('neither runs nor loads anything when it is shared', async () => {
    const { page, asked } = await openWatchedPage('visitor');
    await page.goto(`${stage.engram.url}/shared/${shared}`);
    await expectHarmless(page, asked);
    await page.context().close();
  });

  test('that bypassed the server neither runs nor loads anything', async () => {
    const { page, asked } = await openWatchedPage('visitor');
    await page.context().route('**/v1/shares/*', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: { answer: string } };
      body.data.answer = HOSTILE.join('\n\n');
      await route.fulfill({ response, json: body });
    });
    await page.goto(`${stage.engram.url}/shared/${shared}`);
    await page.getByText('a map (evil.example)').waitFor();
    await expectHarmless(page, asked);
    await page.context().close();
  });

  test('would be blocked by the policy even if the page contained it as markup', async () => {
    const { page, asked } = await openWatchedPage('visitor');
    await page.goto(stage.engram.url);
    const refused: string[] = await page.evaluate(insert(HOSTILE.join('\n')));
    expect(refused).toEqual(
      expect.arrayContaining(['connect-src', 'img-src', 'script-src-elem', 'style-src-attr']),
    );
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(asked).toEqual([]);
    await page.context().close();
  });
});

import { createClient } from '@engram/client';
import { generateCode } from '@engram/contract';
import path from 'node:path';
import { type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Engram, enterCode } from './engram.ts';
import { LOOP_SOUNDS } from './user.test-setup.ts';
import { startVisit } from './visitor.test-setup.ts';

const fixtures = path.resolve(import.meta.dirname, 'files');
const ADDRESS = 'ann@example.org';
/** A question with words of the files that the files do not answer. */
const UNANSWERED_QUESTION = 'What does a new lock for the cellar cost?';

/** A table shows the values of a row's quote, below the column names. */
const shownText = (quote: string): string =>
  quote.includes(' · ') ? quote.replaceAll(/(^| · )[^:·]+: /gu, '') : quote;

const collapseSpace = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

describe.skipIf(!process.env['CHROMIUM_PATH'])('from signing in to a cited answer', () => {
  let engram: Engram;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    ({ engram, browser, page } = await startVisit(problems));
  });
  afterAll(async () => {
    await browser?.close();
    await engram?.close();
  });

  test('a page of the app redirects a visitor to the sign-in', async () => {
    await page.goto(`${engram.url}/search`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('a mailed code signs in after the terms are accepted', async () => {
    await page.getByRole('textbox', { name: /mail/iu }).fill(ADDRESS);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'OTP Verification' }).waitFor();
    await enterCode(page, engram, ADDRESS);
    const terms = page.getByRole('dialog', { name: 'Terms and Conditions' });
    await terms.getByRole('button', { name: 'Agree' }).click();
    await page.getByRole('heading', { name: 'Ask your AI Brain anything' }).waitFor();
  });

  test('a mailed link signs in in another browser with one click', async () => {
    await createClient({ baseUrl: `${engram.url}/v1` }).call(generateCode, {
      body: { email: ADDRESS },
    });
    const context = await browser.newContext();
    const phone = await context.newPage();
    await phone.goto(await engram.linkFor(ADDRESS));
    await phone.getByText(ADDRESS).waitFor();
    await phone.getByRole('button', { name: 'Sign in' }).click();
    await phone.waitForURL((url) => url.pathname !== '/');
    expect(await phone.evaluate(() => sessionStorage.getItem('authToken'))).toBeTruthy();
    await context.close();
  });

  test('files are uploaded in the panel, and the list shows when they are searchable', async () => {
    await page.getByRole('button', { name: 'Upload', exact: true }).first().click();
    const panel = page.getByRole('dialog');
    await panel.getByText('Upload your files to start organizing your content').waitFor();
    await panel
      .locator('input[type=file]')
      .setInputFiles(
        ['lease.pdf', 'household.csv', 'boiler.txt'].map((name) => path.join(fixtures, name)),
      );
    await panel.getByRole('button', { name: 'UPLOAD', exact: true }).click();
    await page.waitForURL('**/allfiles');
    for (const name of ['lease.pdf', 'household.csv', 'boiler.txt']) {
      await page.getByText(name).first().waitFor();
    }
    const ready = page.getByRole('cell', { name: 'Yes', exact: true });
    await ready.nth(2).waitFor();
  });

  async function ask(question: string): Promise<void> {
    await page.goto(`${engram.url}/search`);
    const input = page.getByPlaceholder('Ask your AI Brain anything…');
    await input.fill(question);
    await input.press('Enter');
    await page.getByRole('button', { name: 'Copy' }).first().waitFor();
  }

  test.each([
    ['How much notice does the lease ask for?', 'three months', 'lease.pdf, page 2'],
    ['When was the boiler serviced?', '4 May 2026', 'boiler.txt'],
    ['What is the deposit paid in March?', '2340', 'household.csv'],
  ])(
    '%s is answered, and its source opens with the quote marked',
    async (question, answer, source) => {
      await ask(question);
      const citation = page.getByRole('button', { name: /^Open .+, (?:page|line|row) /u }).first();
      expect(await citation.getAttribute('aria-label')).toContain(source);
      const main = async () => collapseSpace(await page.getByRole('main').innerText());
      await expect.poll(main).toContain(answer);
      expect(await main()).toContain('PST');

      const data = await page.evaluate(async () => {
        const response = await fetch('/v1/search/history/today', {
          headers: { authorization: `Bearer ${sessionStorage.getItem('authToken')}` },
        });
        return (await response.json()) as { data: { citations: { quote: string }[] }[] };
      });
      const quote = data.data[0]?.citations[0]?.quote ?? '';
      await citation.click();
      const marked = page.locator('[data-evidence]').getByTestId('quote');
      await marked.first().waitFor();
      const shown = (await marked.allInnerTexts()).join('');
      expect(collapseSpace(shown).replaceAll(' ', '')).toBe(
        collapseSpace(shownText(quote)).replaceAll(' ', ''),
      );
      await page.keyboard.press('Escape');
    },
  );

  test('a word is completed, and the answer is heard, explained and followed up', async () => {
    await page.addInitScript(LOOP_SOUNDS);
    await page.goto(`${engram.url}/search`);
    const input = page.getByRole('textbox', { name: 'Ask your AI Brain anything' });
    await input.pressSequentially('what is the depo');
    await page.getByRole('option', { name: 'What is the deposit paid in March?' }).click();
    await input.press('Enter');

    await page.getByRole('button', { name: 'Play answer' }).click();
    await expect
      .poll(() => page.getByRole('slider').getAttribute('aria-valuetext'))
      .toMatch(/^0:0[1-9] of \d:\d\d$/u);
    await page.getByRole('button', { name: 'Pause answer' }).click();

    await page.getByText('How was this found?').click();
    await page.getByRole('heading', { name: 'Best passages' }).waitFor();

    await input.fill('How much notice does the lease ask for?');
    await input.press('Enter');
    const questions = [
      'What is the deposit paid in March?',
      'How much notice does the lease ask for?',
    ];
    const answers = page.getByRole('article', { name: 'Answer' });
    await answers.nth(1).getByText('three months').first().waitFor();
    // The answer is shown before it is stored.
    await answers.nth(1).getByRole('button', { name: 'Copy' }).waitFor();
    expect(await answers.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(
      expect.arrayContaining(questions),
    );
    await page.reload();
    await answers.nth(1).getByText('three months').first().waitFor();
    expect(await answers.count()).toBe(2);
  });

  test('on a phone a source opens at the same source location', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await ask('How much notice does the lease ask for?');
    await page
      .getByRole('button', { name: /^Open .+, (?:page|line|row) /u })
      .first()
      .click();
    const quote = page.locator('[data-evidence]').getByTestId('quote').first();
    await quote.waitFor();
    await expect
      .poll(async () => {
        const box = await quote.boundingBox();
        return box !== null && box.y > 0 && box.y + box.height < 844;
      })
      .toBe(true);
    const overflows = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect(overflows).toBe(false);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('an answer that the files do not contain is reported as missing', async () => {
    await page.goto(`${engram.url}/search`);
    const input = page.getByPlaceholder('Ask your AI Brain anything…');
    await input.fill('Who won the chess world cup in Reykjavik?');
    await input.press('Enter');
    await page.getByText("Your files don't seem to say").first().waitFor();
  });

  test('the nearest passages are shown as such, and open at their location', async () => {
    await page.goto(`${engram.url}/search`);
    const input = page.getByPlaceholder('Ask your AI Brain anything…');
    await input.fill(UNANSWERED_QUESTION);
    await input.press('Enter');
    const shown = async (): Promise<void> => {
      const nearest = page.getByRole('region', { name: 'Nearest passages' });
      await nearest.getByRole('button').first().click();
      const passage = page.getByRole('complementary', { name: /^Passage 1: / });
      await passage.getByTestId('quote').first().waitFor();
      await page.keyboard.press('Escape');
      await passage.waitFor({ state: 'detached' });
    };
    await shown();
    await page.reload();
    await shown();
  });

  test('the questions are in the history', async () => {
    await page.goto(`${engram.url}/history`);
    await page.getByRole('heading', { name: 'TODAY' }).waitFor();
    await page.getByText('When was the boiler serviced?').waitFor();
  });

  test('the session survives a restart of the server, and works in a new tab', async () => {
    // The browser reports calls that a page makes while the server is down.
    await page.goto('about:blank');
    const url = await engram.restart();
    const tab = await page.context().newPage();
    await tab.goto(`${url}/allfiles`);
    await tab.getByText('lease.pdf').first().waitFor();
    await tab.close();
  });

  test('a deleted file is removed from answers and lists', async () => {
    await page.goto(`${engram.url}/allfiles`);
    await page.getByText('boiler.txt').first().waitFor();
    await page.getByRole('button', { name: 'Options for boiler.txt' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm Delete' });
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('boiler.txt').first().waitFor({ state: 'detached' });
    await page.goto(`${engram.url}/history`);
    await page.getByText('When was the boiler serviced?').click();
    const answer = page.getByRole('article', { name: 'Answer' });
    await answer.getByText('Removed: the file was deleted.').waitFor();
  });

  test('logging out ends the session here and on the server', async () => {
    const token = await page.evaluate(() => sessionStorage.getItem('authToken'));
    await page.getByRole('button', { name: 'Logout' }).first().click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const { status } = await fetch(`${engram.url}/v1/artifacts`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(status).toBe(401);
    expect(await page.evaluate(() => sessionStorage.getItem('authToken'))).toBeNull();
  });

  test('the browser reported no errors', () => {
    expect(problems).toEqual([]);
  });
});

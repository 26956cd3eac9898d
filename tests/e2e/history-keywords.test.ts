import { search } from '@engram/contract';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { useJourney } from './journey.test-setup.ts';
import { startUser } from './user.test-setup.ts';

const DEPOSIT = 'How much is the deposit for the boathouse?';
const NOTICE = 'How long is the notice?';

describe.skipIf(!process.env['CHROMIUM_PATH'])('history and keywords', () => {
  const journey = useJourney();
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    const lease = 'The deposit for the boathouse is 2,340 euros. The notice is three months.';
    const ann = await startUser(journey.engram, 'ann@example.org', [
      { name: 'lease.txt', content: new Blob([lease]) },
    ]);
    for (const text of [DEPOSIT, NOTICE]) {
      await ann.client.call(search, { body: { text, audio: false } });
    }
    page = await ann.openPage(journey.browser, problems, {
      viewport: { width: 1440, height: 900 },
    });
  });

  const focusedText = () => page.locator('*:focus').textContent();
  const today = () => page.getByRole('region', { name: 'TODAY' });
  const row = (question: string) => today().getByRole('listitem').filter({ hasText: question });
  const keywordButton = (word: string) =>
    page
      .getByRole('region', { name: 'Use only the selected keywords below when searching' })
      .getByRole('button', { name: word, exact: true });

  test('new questions are listed under TODAY, newest first, and open on the search page', async () => {
    await page.goto(`${journey.engram.url}/history`);
    await row(DEPOSIT).waitFor();
    const shown = await today().getByRole('listitem').allInnerTexts();
    expect(shown.map((text) => text.split('\n')[0])).toEqual([NOTICE, DEPOSIT]);
    expect(shown[0]).toMatch(/\d:\d\d [AP]M PST/u);
    await row(DEPOSIT).getByText(DEPOSIT).click();
    await page.waitForURL('**/search?entry=*');
    await page.getByText('2,340 euros').first().waitFor();
  });

  test('a saved question is found by the filter, which Back restores', async () => {
    await page.goto(`${journey.engram.url}/history`);
    await page.getByRole('button', { name: `Save: ${DEPOSIT}`, exact: true }).click();
    await page.getByRole('button', { name: `Un-Save: ${DEPOSIT}` }).waitFor();
    await page.getByLabel('Show Saved Only').check();
    await row(NOTICE).waitFor({ state: 'detached' });
    await page.getByPlaceholder('Search...').fill('deposit');
    await page.waitForURL('**/history?only=saved&q=deposit');
    await row(DEPOSIT).getByText(DEPOSIT).click();
    await page.waitForURL('**/search?entry=*');
    await page.goBack();
    await row(DEPOSIT).waitFor();
    expect(await page.getByLabel('Show Saved Only').isChecked()).toBe(true);
    expect(await page.getByPlaceholder('Search...').inputValue()).toBe('deposit');
  });

  test('a question is archived, found among the archived ones, and restored', async () => {
    await page.goto(`${journey.engram.url}/history`);
    await row(NOTICE).getByText(NOTICE).click();
    await page.waitForURL('**/search?entry=*');
    // The address of the question opens it in the history.
    await page.goto(page.url().replace('/search', '/history'));
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await row(NOTICE).waitFor({ state: 'detached' });
    await page.getByLabel('Show Archived Only').check();
    await row(NOTICE).waitFor();
    expect(await page.getByLabel('Show Saved Only').isChecked()).toBe(false);
    expect(await page.getByRole('button', { name: /Save: /u }).count()).toBe(0);
    await row(NOTICE).getByText(NOTICE).click();
    await page.getByRole('button', { name: 'Un-Archive', exact: true }).click();
    await page.getByText('Nothing archived').waitFor();
    await page.getByLabel('Show Archived Only').uncheck();
    await row(NOTICE).waitFor();
  });

  /** The keywords that the upload panel offers for some letters. */
  async function offeredForUpload(typed: string): Promise<Locator> {
    await page.getByRole('button', { name: 'Upload', exact: true }).first().click();
    const panel = page.getByRole('dialog');
    await panel.getByText('Upload your files to start organizing your content').waitFor();
    await panel.getByPlaceholder('Type a keyword, press Enter').first().fill(typed);
    return panel.getByRole('listbox', { name: 'Suggested keywords' });
  }
  async function goTo(name: string): Promise<void> {
    await page.getByRole('link', { name, exact: true }).first().click();
    await page.getByRole('heading', { level: 1 }).waitFor();
  }

  test('before any file has a keyword, recent files are offered to ask about', async () => {
    await page.goto(`${journey.engram.url}/search`);
    const recent = page.getByRole('region', { name: 'Ask about a recent file' });
    await recent.getByRole('button', { name: 'lease.txt', pressed: false }).click();
    await page.getByText('Searching in lease.txt').waitFor();
    expect(await keywordButton('Personal').count()).toBe(0);
    await page.getByRole('button', { name: 'Search all files' }).click();
    await recent.getByRole('button', { name: 'lease.txt', pressed: false }).waitFor();
  });

  test('a keyword that is added by keyboard is immediately in the search filter and the upload', async () => {
    await page.goto(`${journey.engram.url}/keywords`);
    await page.getByText('Personal').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('Boathouse');
    await page.keyboard.press('Tab');
    expect(await focusedText()).toBe('Add Boathouse');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Archive Boathouse' }).waitFor();
    await goTo('Search');
    await keywordButton('Boathouse').waitFor();
    const offered = await offeredForUpload('boat');
    await offered.getByRole('option', { name: 'Boathouse' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('an archived keyword disappears from both, and Undo brings it back', async () => {
    await page.goto(`${journey.engram.url}/keywords`);
    const archive = page.getByRole('button', { name: 'Archive Boathouse' });
    await archive.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Make Boathouse active again' }).waitFor();
    await goTo('Search');
    await keywordButton('Personal').waitFor();
    expect(await keywordButton('Boathouse').count()).toBe(0);
    const offered = await offeredForUpload('b');
    expect(await offered.getByRole('option', { name: 'Boathouse' }).count()).toBe(0);
    await page.reload();
    await goTo('Keywords');
    await page.getByRole('button', { name: 'Make Boathouse active again' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Make Boathouse active again' }).waitFor();
  });

  test('the keyboard moves through the history, opens an answer and returns', async () => {
    await page.goto(`${journey.engram.url}/history`);
    await row(DEPOSIT).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focusedText()).toContain(NOTICE);
    await page.keyboard.press('ArrowDown');
    expect(await focusedText()).toContain(DEPOSIT);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?entry=*');
    await page.goBack();
    await row(DEPOSIT).waitFor();
    await expect.poll(focusedText).toContain(DEPOSIT);
  });

  test('the browser reported no errors', () => {
    expect(problems).toEqual([]);
  });
});

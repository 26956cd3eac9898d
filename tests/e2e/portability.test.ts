import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useJourney } from './journey.test-setup.ts';
import { startUser } from './user.test-setup.ts';

const QUESTION = 'How much notice does the lease ask for?';

describe.skipIf(!process.env['CHROMIUM_PATH'])('moving an account', () => {
  const journey = useJourney();
  const problems: string[] = [];
  let answered = '';
  let saved = '';

  const start = async (name: string, content: Blob) => {
    const person = await startUser(journey.engram, 'ann@example.org', [{ name, content }]);
    return { ...person, page: await person.openPage(journey.browser, problems) };
  };

  const ask = async (page: Page): Promise<string> => {
    await page.goto(`${journey.engram.url}/search`);
    const input = page.getByRole('textbox', { name: 'Ask your AI Brain anything' });
    await input.fill(QUESTION);
    await input.press('Enter');
    const answer = page.getByRole('article', { name: 'Answer' });
    const sentence = answer.locator('p', { hasText: 'three months' }).first();
    // The answer is shown before it is stored.
    await answer.getByRole('button', { name: 'Copy' }).waitFor();
    return sentence.innerText();
  };

  test('exports one zip before the account is deleted', async () => {
    const lease = await readFile(path.resolve(import.meta.dirname, 'files/lease.pdf'));
    const { page } = await start('lease.pdf', new Blob([new Uint8Array(lease)]));
    answered = await ask(page);
    await page.goto(`${journey.engram.url}/profile`);
    const dataPanel = page.getByRole('region', { name: 'Your data' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dataPanel.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^engram-export-\d{4}-\d\d-\d\d\.zip$/u);
    saved = path.join(journey.engram.dataDir, download.suggestedFilename());
    await download.saveAs(saved);
    await dataPanel.getByText('The download has started.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/profile');

    await page.getByRole('button', { name: 'Delete account', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm Delete' });
    await dialog.getByRole('textbox').fill('ann@example.org');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(`${journey.engram.url}/`);
  });

  test('imports it into a new account, where the same question gets the same answer', async () => {
    const { page, settled } = await start('note.txt', new Blob(['The shed is green.']));
    await page.goto(`${journey.engram.url}/profile`);
    const dataPanel = page.getByRole('region', { name: 'Your data' });
    await dataPanel.getByLabel('Export to be imported').setInputFiles(saved);
    await dataPanel.getByText('Your export was imported.').waitFor();
    const result = await dataPanel
      .getByRole('region', { name: 'Result of the import' })
      .innerText();
    expect(result).toMatch(/Files\s+1 imported/u);
    expect(result).toMatch(/Questions\s+1 imported/u);

    await settled();

    await page.goto(`${journey.engram.url}/history`);
    await page.getByText(QUESTION).first().waitFor();
    expect(await ask(page)).toBe(answered);
    expect(problems).toEqual([]);
  });
});

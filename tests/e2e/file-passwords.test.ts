import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listArtifacts } from '@engram/contract';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { useJourney } from './journey.test-setup.ts';
import { startUser } from './user.test-setup.ts';

const PASSWORD = 'Seerose 7';
const fixtures = path.join(import.meta.dirname, '../../packages/extraction/fixtures');
const locked = (name: string): Blob => new Blob([readFileSync(path.join(fixtures, name))]);

describe.skipIf(!process.env['CHROMIUM_PATH'])('files with a password', () => {
  const journey = useJourney({ env: () => ({ ENGRAM_RATE_LIMITS: 'off' }) });
  let page: Page;
  let ann: Awaited<ReturnType<typeof startUser>>;
  const problems: string[] = [];

  beforeAll(async () => {
    ann = await startUser(journey.engram, 'ann@example.org', [
      { name: 'lease.pdf', content: locked('272-pdf-aes-256/lake-house.pdf') },
      { name: 'lease.docx', content: locked('275-docx-standard/lake-house.docx') },
      { name: 'papers.zip', content: locked('278-zip-aes-256/papers.zip') },
    ]);
    page = await ann.openPage(journey.browser, problems, {
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
    });
  });

  const dialog = () => page.getByRole('dialog', { name: 'Enter the password' });
  const field = () => page.getByLabel('Password', { exact: true });

  test('wait for it in the list, and open together', async () => {
    await page.goto(`${journey.engram.url}/allfiles`);
    await page.getByText('Needs a password').nth(2).waitFor();
    await page.getByRole('button', { name: 'Unlock lease.pdf' }).click();
    await field().fill('wrong');
    await page.keyboard.press('Enter');
    await dialog().getByText('This password does not open the file.').waitFor();
    await field().fill(PASSWORD);
    await dialog().getByLabel('Remember for my other files').check();
    await dialog().getByRole('button', { name: 'Open' }).click();
    await page.getByText('3 files opened').waitFor();
    await dialog().waitFor({ state: 'detached' });
    await page.getByText('Yes', { exact: true }).nth(2).waitFor();
    const { data } = await ann.client.call(listArtifacts, {});
    expect(data.map(({ stage }) => stage)).toEqual(['ready', 'ready', 'ready']);
  });

  test('are shown page by page once the user enters it', async () => {
    await page.getByRole('button', { name: 'lease.pdf', exact: true }).click();
    await field().fill('wrong');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('This password does not open the file.').waitFor();
    await field().fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('2,400 euros').first().waitFor();
  });

  test('have a saved password that can be removed', async () => {
    await page.goto(`${journey.engram.url}/profile#security`);
    const remove = page.getByRole('button', { name: /^Remove the password of lease\.pdf/u });
    await remove.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await remove.waitFor({ state: 'detached' });
    expect(problems.filter((problem) => !problem.includes('422'))).toEqual([]);
  });
});

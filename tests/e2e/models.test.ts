import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useJourney } from './journey.test-setup.ts';
import { startUser } from './user.test-setup.ts';

describe.skipIf(!process.env['CHROMIUM_PATH'])('the models in General settings', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'engram-models-'));
  writeFileSync(path.join(folder, 'First.gguf'), 'a model');
  writeFileSync(path.join(folder, 'Second.gguf'), 'a model');
  const journey = useJourney({
    env: () => ({
      ENGRAM_LLM: 'auto',
      ENGRAM_MODELS_DIR: folder,
      // Nothing listens on this port.
      HF_ENDPOINT: 'http://127.0.0.1:9',
      OLLAMA_BASE_URL: 'http://127.0.0.1:9',
    }),
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    const ann = await startUser(journey.engram, 'ann@example.org', [
      { name: 'lease.txt', content: new Blob(['The lease ends in May.']) },
      { name: 'boat.md', content: new Blob(['Mooring fee: £725\nStart date: 1 July 2024']) },
    ]);
    page = await ann.openPage(journey.browser, problems, {
      viewport: { width: 390, height: 844 },
    });
    await openModels();
  });

  const openModels = () => page.goto(`${journey.engram.url}/profile#portfolio`);

  const row = (name: string) =>
    page.getByRole('list', { name: 'Models' }).getByRole('listitem').filter({ hasText: name });

  test('show the available models with size and license, and the current one', async () => {
    await row('Qwen 3.5 4B').getByText('2.6 GB', { exact: true }).waitFor();
    await row('Qwen 3.5 4B').getByRole('link', { name: 'Apache-2.0 license' }).waitFor();
    await page.getByText('Answers come from First on this machine.').waitFor();
    await row('First').getByText('Answers', { exact: true }).waitFor();
  });

  test('can be changed by keyboard', async () => {
    await page.getByRole('button', { name: 'Use Second' }).press('Enter');
    await page.getByText('Answers come from Second on this machine.').waitFor();
    await page.reload();
    await page.getByText('Answers come from Second on this machine.').waitFor();
  });

  test('can be tested with a question that the files answer', async () => {
    await page.getByRole('button', { name: 'Try Second' }).press('Enter');
    await page.waitForURL('**/search*');
    await page.getByRole('button', { name: 'Copy' }).first().waitFor();
    await page
      .getByText(/^What is the start date in “boat”|^How much is the mooring fee/u)
      .first()
      .waitFor();
    await openModels();
  });

  test('can be removed after a confirmation, and the next one answers', async () => {
    await page.getByRole('button', { name: 'Remove Second' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Remove model' });
    await dialog.getByText('Remove Second from this machine?').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).press('Enter');
    await page.getByText('Answers come from First on this machine.').waitFor();
    expect(await row('Second').count()).toBe(0);
  });

  test('show why a model could not be downloaded', async () => {
    await page.getByRole('button', { name: 'Get Qwen 3.5 0.8B' }).press('Enter');
    await row('Qwen 3.5 0.8B').getByText('The hub at 127.0.0.1:9 cannot be reached.').waitFor();
  });

  test('are offered below a found answer without a model, until the user declines', async () => {
    await page.getByRole('button', { name: 'Remove First' }).press('Enter');
    await page
      .getByRole('dialog', { name: 'Remove model' })
      .getByRole('button', { name: 'Remove' })
      .press('Enter');
    await page.getByText('No language model is on this machine').waitFor();
    const ask = async (question: string) => {
      await page.goto(`${journey.engram.url}/search`);
      const input = page.getByPlaceholder('Ask your AI Brain anything…');
      await input.fill(question);
      await input.press('Enter');
      await page.getByRole('button', { name: 'Copy' }).first().waitFor();
    };
    await ask('When does the lease end?');
    await page.getByRole('link', { name: 'Choose a model' }).waitFor();
    await page.getByRole('button', { name: 'Do not offer a model' }).press('Enter');
    await page.getByRole('link', { name: 'Choose a model' }).waitFor({ state: 'detached' });
    await ask('When does the lease end in May?');
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('link', { name: 'Choose a model' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });
});

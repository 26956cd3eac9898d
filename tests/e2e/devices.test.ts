import { type DeviceReport, reportDevice, uploadArtifacts } from '@engram/contract';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { useJourney } from './journey.test-setup.ts';
import { startUser } from './user.test-setup.ts';

const PATH = 'Papers/tax/2025/notice.txt';

const syncedReport: DeviceReport = {
  folders: [{ name: 'Papers', state: 'current', files: 1, waiting: 0, refused: 1 }],
  refused: [{ path: 'Papers/setup.exe', reason: 'File type not supported: setup.exe' }],
  currentAt: null,
};

describe.skipIf(!process.env['CHROMIUM_PATH'])('a device that keeps a folder in sync', () => {
  const journey = useJourney();
  let page: Page;
  let ann: Awaited<ReturnType<typeof startUser>>;
  let id = '';
  const problems: string[] = [];

  beforeAll(async () => {
    ann = await startUser(journey.engram, 'ann@example.org', [
      { name: 'pool.txt', content: new Blob(['The pool costs 12 euros a month.']) },
    ]);
    page = await ann.openPage(journey.browser, problems, {
      viewport: { width: 1440, height: 900 },
    });
  });

  const report = async (deviceReport?: DeviceReport) => {
    const body = { name: 'Home-PC', platform: 'Linux', version: '0.1.0', report: deviceReport };
    const { data } = await ann.client.call(reportDevice, {
      body: id === '' ? body : { ...body, id },
    });
    return data;
  };
  const card = () => page.getByRole('listitem', { name: 'Home-PC' });
  const button = (name: string) => card().getByRole('button', { name, exact: true });

  test('the page offers downloads, and has no device until one is authorized', async () => {
    await page.goto(`${journey.engram.url}/connector`);
    await page.getByRole('heading', { name: 'Get Started' }).waitFor();
    await page.getByText('No device is connected.').waitFor();
    const downloads = page.getByRole('region', { name: 'Download' });
    for (const system of ['Windows', 'macOS (Apple silicon)', 'macOS (Intel)', 'Linux']) {
      await downloads.getByText(system, { exact: true }).waitFor();
    }
    id = (await report()).id;
    // The page polls.
    await card().getByText('No folder selected yet').waitFor();
  });

  test('shows its progress, and the reason for each file that was left out', async () => {
    await report(syncedReport);
    await page.reload();
    await card().getByText('In Engram, except 1 file').waitFor();
    await card().getByText('1 file, 1 left out').waitFor();
    await card().getByText('Why 1 file was left out').click();
    await card().getByText('File type not supported: setup.exe').waitFor();
  });

  test('gets commands of its user with its next report', async () => {
    await button('Sync now on Home-PC').click();
    await card().getByText('Sync requested').waitFor();
    await expect.poll(async () => (await report(syncedReport)).syncAskedAt).not.toBeNull();
    await button('Pause Home-PC').click();
    await card().getByText('Paused', { exact: true }).first().waitFor();
    expect((await report(syncedReport)).paused).toBe(true);
    await button('Resume Home-PC').click();
    await button('Pause Home-PC').waitFor();
    expect((await report(syncedReport)).paused).toBe(false);
  });

  test('its files show their folder, and answer a question that names it', async () => {
    await ann.client.upload(
      uploadArtifacts,
      [
        { name: 'notice.txt', content: new Blob(['The additional payment is 312.40 euros.']) },
        { name: 'notice.txt', content: new Blob(['The additional payment is 99.10 euros.']) },
      ],
      {
        deviceId: id,
        meta: JSON.stringify([{ path: PATH }, { path: 'Papers/tax/2024/notice.txt' }]),
      },
    );
    await ann.settled();
    await page.goto(`${journey.engram.url}/allfiles`);
    const row = page.getByRole('row').filter({ has: page.getByTitle(PATH) });
    await row.getByText('Connector', { exact: true }).waitFor();

    await page.goto(`${journey.engram.url}/search`);
    await page.getByRole('textbox').fill('How much is the additional payment in tax/2025?');
    await page.keyboard.press('Enter');
    const sources = page.getByRole('region', { name: 'Found in your files' });
    await sources.getByTitle(PATH).waitFor();
    expect(await sources.getByRole('listitem').count()).toBe(1);
    await sources.getByRole('listitem').getByRole('button').click();
    await page.locator('[data-evidence]').getByTitle(PATH).waitFor();
  });

  test('is removed after a confirmation, and its files stay', async () => {
    await page.goto(`${journey.engram.url}/connector`);
    await button('End Home-PC').click();
    const dialog = page.getByRole('dialog', { name: 'End this device' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await button('End Home-PC').click();
    await dialog.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('No device is connected.').waitFor();
    await expect(report(syncedReport)).rejects.toMatchObject({ status: 404 });
    await page.goto(`${journey.engram.url}/allfiles`);
    await page.getByTitle(PATH).waitFor();
    expect(problems).toEqual([]);
  });
});

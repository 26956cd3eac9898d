import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../../apps/web/src/app/paths.ts';
import { callStore, UNSENT_FILES } from './browser-storage.test-setup.ts';
import { type Stage, startStage } from './stage.test-setup.ts';

const sceneOf = (address: string) => ({ name: address, address, as: 'user' as const });

/** Waits until the page handles drops. A slow machine is idle for a while before it runs the page's code. */
const waitUntilShown = (page: Page): Promise<void> =>
  page.getByRole('heading', { level: 1 }).waitFor();

/** Drops a text file on the page, as a user would. */
const drop = (page: Page, name: string, content: string): Promise<unknown> =>
  page.evaluate(`{
    const data = new DataTransfer();
    data.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}, { type: 'text/plain' }));
    for (const type of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(
        new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }),
      );
    }
  }`);

describe.skipIf(!process.env['CHROMIUM_PATH'])('dropped and pasted content', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage?.close());

  test('a question about a dropped file can be asked on the same page', async () => {
    const page = await stage.newPage('user', { viewport: { width: 1440, height: 900 } });
    await page.goto(stage.urlOf(sceneOf(paths.keywords)), { waitUntil: 'networkidle' });
    await waitUntilShown(page);
    await drop(page, 'ferry.txt', 'The ferry to Texel leaves at 7:30 in the morning.');
    const tray = page.getByRole('region', { name: 'Incoming files' });
    await tray.getByText('Ready', { exact: true }).waitFor();
    await tray.getByRole('button', { name: 'Open' }).click();
    await page.getByText('The ferry to Texel leaves').first().waitFor();
    expect(new URL(page.url()).pathname).toBe(paths.keywords);
    const pane = await page.getByRole('complementary', { name: 'ferry.txt' }).boundingBox();
    const trayBox = await tray.boundingBox();
    expect(trayBox!.x + trayBox!.width).toBeLessThanOrEqual(pane!.x);
    await tray.getByRole('button', { name: 'Ask about it' }).click();
    const input = page.getByRole('textbox', { name: 'Ask your AI Brain anything' });
    await input.fill('When does the ferry to Texel leave?');
    await input.press('Enter');
    await page.getByText(/7:30/u).first().waitFor();
    // The input moves down for the answer, and the tray follows it.
    const overlap = async () => {
      const { y, height } = (await tray.boundingBox())!;
      return y + height - (await input.boundingBox())!.y;
    };
    await expect.poll(overlap).toBeLessThanOrEqual(0);
    await page.context().close();
  });

  test('a question about a file dropped on the landing page can be asked', async () => {
    const page = await stage.newPage('user', { viewport: { width: 1440, height: 900 } });
    await page.goto(stage.urlOf(sceneOf(paths.home)), { waitUntil: 'networkidle' });
    await waitUntilShown(page);
    await drop(page, 'tram.txt', 'The last tram leaves at 23:40 from the harbour.');
    const tray = page.getByRole('region', { name: 'Incoming files' });
    await tray.getByText('Ready', { exact: true }).waitFor();
    const field = page.getByRole('textbox', { name: 'Ask your AI Brain anything' });
    await field.fill('When does the last tram leave?');
    await field.press('Enter');
    await page.waitForURL('**/search?entry=*');
    await page.getByText(/23:40/u).first().waitFor();
    await tray.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('complementary', { name: 'tram.txt' }).waitFor();
    await page.context().close();
  });

  test('pasted text becomes a note on Enter', async () => {
    const page = await stage.newPage('user', { viewport: { width: 390, height: 844 } });
    await page.goto(stage.urlOf(sceneOf(paths.keywords)), { waitUntil: 'networkidle' });
    await waitUntilShown(page);
    await page.evaluate(`{
      const data = new DataTransfer();
      data.setData('text/plain', 'The spare key hangs behind the door.');
      document.body.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    }`);
    const tray = page.getByRole('region', { name: 'Incoming files' });
    await tray.getByText('Save as a note?').waitFor();
    await tray.locator('button:focus', { hasText: 'Save' }).waitFor();
    await page.keyboard.press('Enter');
    await tray.getByText('Ready', { exact: true }).waitFor();
    await page.context().close();
  });

  /** Opens a page with a file, dropped by default, whose upload ends only by leaving the page. */
  async function openDuringUpload(name: string, start = drop): Promise<Page> {
    const page = await stage.newPage('user', { viewport: { width: 1440, height: 900 } });
    await page.goto(stage.urlOf(sceneOf(paths.keywords)), { waitUntil: 'networkidle' });
    await waitUntilShown(page);
    const upload = page.waitForRequest('**/artifacts/upload');
    // Once, because removing the route would send the upload before the page is reloaded.
    await page.route('**/artifacts/upload', () => undefined, { times: 1 });
    await start(page, name, `The file ${name} was sent after a reload.`);
    await upload;
    await expect.poll(() => callStore(page, UNSENT_FILES, 'count')).toBe(1);
    return page;
  }
  const trayOf = (page: Page) => page.getByRole('region', { name: 'Incoming files' });

  test('a reload during an upload continues it', async () => {
    const page = await openDuringUpload('resumed.txt');
    await page.reload();
    await trayOf(page).getByText('resumed.txt').first().waitFor();
    await trayOf(page).getByText('Ready', { exact: true }).waitFor();
    await expect.poll(() => callStore(page, UNSENT_FILES, 'count')).toBe(0);
    await page.reload({ waitUntil: 'networkidle' });
    expect(await trayOf(page).count()).toBe(0);
    await page.context().close();
  });

  test('an upload of the panel continues in the tray after a reload, with keywords and text', async () => {
    const page = await openDuringUpload('from-the-panel.txt', async (page, name, content) => {
      await page.getByRole('button', { name: 'Upload', exact: true }).first().click();
      const panel = page.getByRole('dialog');
      const file = { name, mimeType: 'text/plain', buffer: Buffer.from(content) };
      await panel.locator('input[type=file]').setInputFiles(file);
      await panel.getByLabel('Keywords for the whole upload').fill('Travel');
      await page.keyboard.press('Enter');
      await panel.getByLabel('Text').fill('The panel sent this note.');
      await panel.getByRole('button', { name: 'UPLOAD', exact: true }).click();
    });
    await page.reload();
    await expect.poll(() => trayOf(page).getByText('Ready', { exact: true }).count()).toBe(2);
    await page.goto(stage.urlOf(sceneOf(paths.files)), { waitUntil: 'networkidle' });
    for (const name of ['from-the-panel.txt', 'The panel sent this note']) {
      await page.getByRole('row', { name }).getByText('Travel').waitFor();
    }
    await page.context().close();
  });

  test('a file that was lost by a reload is listed, and sent when it is chosen again', async () => {
    const page = await openDuringUpload('lost.txt');
    await callStore(page, UNSENT_FILES, 'clear');
    await page.reload();
    await trayOf(page)
      .getByText(/^The page was reloaded before this file was sent\./u)
      .waitFor();
    const choosing = page.waitForEvent('filechooser');
    await trayOf(page).getByRole('button', { name: 'Choose lost.txt again' }).click();
    await (
      await choosing
    ).setFiles({ name: 'lost.txt', mimeType: 'text/plain', buffer: Buffer.from('Found again.') });
    await trayOf(page).getByText('Ready', { exact: true }).waitFor();
    await page.context().close();
  });

  test('the tray removes a deleted file', async () => {
    const page = await stage.newPage('user', { viewport: { width: 1440, height: 900 } });
    await page.goto(stage.urlOf(sceneOf(paths.files)), { waitUntil: 'networkidle' });
    await waitUntilShown(page);
    await drop(page, 'short-lived.txt', 'This note is deleted soon.');
    await trayOf(page).getByText('Ready', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Options for short-lived.txt' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm Delete' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await trayOf(page).waitFor({ state: 'detached' });
    await page.context().close();
  });
});

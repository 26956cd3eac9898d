import { search } from '@engram/contract';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { enterCode, signIn } from './engram.ts';
import { useJourney } from './journey.test-setup.ts';
import { startUser } from './user.test-setup.ts';

/** A PNG of one pixel. */
const PHOTO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf(!process.env['CHROMIUM_PATH'])('the profile', () => {
  const problems: string[] = [];
  const journey = useJourney();
  let page: Page;

  beforeAll(async () => {
    const files = [{ name: 'boiler.txt', content: new Blob(['The boiler was serviced in May.']) }];
    const ann = await startUser(journey.engram, 'ann@example.org', files);
    await ann.client.call(search, { body: { text: 'When was the boiler serviced?' } });
    page = await ann.openPage(journey.browser, problems, {
      viewport: { width: 1440, height: 900 },
      timezoneId: 'Europe/Berlin',
    });
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const sidebar = () => page.getByRole('complementary', { name: 'Sidebar' });
  const section = (name: string) => page.getByRole('heading', { level: 2, name }).waitFor();
  const open = async (path: string): Promise<void> => {
    await page.goto(journey.engram.url + path);
  };

  test('name, phone and photo can be changed, and are stored', async () => {
    await open('/profile');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ann Becker');
    await page.getByRole('textbox', { name: 'Phone' }).fill('5551234567');
    await button('Save changes').click();
    await page.getByText('Profile updated successfully!').waitFor();
    await sidebar().getByText('Ann Becker').waitFor();

    await button('Add a photo').click();
    const dialog = page.getByRole('dialog', { name: 'Profile photo' });
    const photo = { name: 'me.png', mimeType: 'image/png', buffer: PHOTO };
    await dialog.locator('input[type=file]').setInputFiles(photo);
    await dialog.getByRole('img', { name: 'Preview of your photo' }).waitFor();
    await dialog.getByRole('button', { name: 'Upload' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await sidebar().locator('img[src^="data:image/jpeg"]').waitFor();

    await page.reload();
    await sidebar().locator('img[src^="data:image/jpeg"]').waitFor();
    expect(await page.getByRole('textbox', { name: 'Phone' }).inputValue()).toBe('(555) 123-4567');
    await button('Remove photo').click();
    await sidebar().getByText('AB', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  test('a session is ended in Security, and its token is no longer valid', async () => {
    const token = await signIn(journey.engram, 'ann@example.org');
    const profileWith = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${journey.engram.url}/v1/user/profile`, { headers })).status;
    };
    expect(await profileWith()).toBe(200);
    await open('/profile#security');
    const sessions = page.getByRole('list', { name: 'Sessions' });
    await sessions.getByText('This device').waitFor();
    const rows = sessions.getByRole('listitem');
    const before = await rows.count();
    await rows
      .nth(1)
      .getByRole('button', { name: /^End the session/u })
      .click();
    await expect.poll(() => rows.count()).toBe(before - 1);
    expect(await profileWith()).toBe(401);
    expect(problems).toEqual([]);
  });

  test('a new code is mailed if one is needed, and the call continues', async () => {
    const refusal = { message: 'Please confirm.', code: 'fresh_code_needed' };
    // As after a quarter of an hour, the sign-in is no longer recent.
    await page.route(
      '**/v1/account/export/link',
      (route) => route.fulfill({ status: 403, json: refusal }),
      {
        times: 1,
      },
    );
    await open('/profile');
    await button('Export').click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.waitFor();
    const download = page.waitForEvent('download');
    await enterCode(page, journey.engram, 'ann@example.org');
    expect((await download).suggestedFilename()).toMatch(/^engram-export/u);
    await dialog.waitFor({ state: 'hidden' });
    problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes('403')));
  });

  test('preferences are stored, and times are shown in the device’s time zone', async () => {
    await open('/profile#yourpreferences');
    await section('Your Preferences');
    await button('Save answers').waitFor();
    const groups = page.getByRole('main').getByRole('radiogroup');
    for (const question of await groups.filter({ hasNotText: 'time zone' }).all()) {
      await question.getByRole('radio').first().check();
    }
    await button('Save answers').click();
    await page.getByText('Your answers are saved.').waitFor();
    const saved = page.waitForResponse(
      (response) => response.request().method() === 'PUT' && response.url().endsWith('/profile'),
    );
    await page.getByRole('radio', { name: 'This device’s time zone' }).check();
    await saved;

    await page.reload();
    await section('Your Preferences');
    await button('Save answers').waitFor();
    const main = page.getByRole('main');
    const selected = main.getByRole('radio', { checked: true });
    await page.getByRole('radio', { name: 'This device’s time zone', checked: true }).waitFor();
    await expect.poll(() => selected.count()).toBe(await main.getByRole('radiogroup').count());
    await open('/history');
    await page
      .getByText(/\d [AP]M CES?T/u)
      .first()
      .waitFor();
    expect(problems).toEqual([]);
  });

  test('on a phone the menu opens a section, and a reload stays on it', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open('/profile');
    await section('My Profile');
    await button('Open the menu').click();
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Billing' }).click();
    await section('Billing');
    expect(new URL(page.url()).hash).toBe('#billing');
    await page.reload();
    await section('Billing');
    await page.getByRole('heading', { name: 'Usage and limits' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('all history and all files are deleted after a confirmation', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await open('/profile');
    for (const [name, confirmation] of [
      ['Delete all search history', 'Search History deleted successfully.'],
      ['Delete all files', 'Files deleted successfully.'],
    ] as const) {
      await button(name).click();
      const dialog = page.getByRole('dialog', { name: 'Confirm Delete' });
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText(confirmation).waitFor();
      await dialog.waitFor({ state: 'hidden' });
    }
    await open('/history');
    await page.getByText(/boiler/u).waitFor({ state: 'detached' });
    await open('/allfiles');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText('boiler.txt').count()).toBe(0);
    expect(problems).toEqual([]);
  });
});

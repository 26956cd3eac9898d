import { listArtifacts } from '@engram/contract';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { useJourney } from './journey.test-setup.ts';
import { startUser } from './user.test-setup.ts';

/** A picture of one pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const NOTES = 211;

const text = (content: string) => new Blob([content]);

describe.skipIf(!process.env['CHROMIUM_PATH'])('the files', () => {
  const journey = useJourney({ env: () => ({ ENGRAM_RATE_LIMITS: 'off' }) });
  let page: Page;
  let ann: Awaited<ReturnType<typeof startUser>>;
  const problems: string[] = [];

  beforeAll(async () => {
    ann = await startUser(journey.engram, 'ann@example.org', [
      { name: 'Sunrise.png', content: new Blob([Buffer.from(PICTURE, 'base64')]) },
      ...Array.from({ length: NOTES }, (_, n) => ({
        name: `note ${String(n + 1).padStart(3, '0')}.txt`,
        content: text(`Note number ${n + 1}.`),
      })),
    ]);
    page = await ann.openPage(journey.browser, problems, {
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
    });
    await page.goto(`${journey.engram.url}/allfiles?sort=name`);
  });

  const file = (name: string) => page.getByRole('button', { name, exact: true });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const visibleText = (words: string) => page.getByText(words, { exact: true });
  const confirm = (): Promise<void> =>
    page
      .getByRole('dialog', { name: 'Confirm Delete' })
      .getByText('Delete', { exact: true })
      .click();

  test('any page opens directly, and a reload and Back stay on it', async () => {
    await file('note 001.txt').waitFor();
    await visibleText('1-10 of 212 items').waitFor();
    await button('Last').click();
    await visibleText('211-212 of 212 items').waitFor();
    await page.getByRole('textbox', { name: 'Page of 22' }).fill('3');
    await page.keyboard.press('Enter');
    await file('note 021.txt').waitFor();
    await page.reload();
    await file('note 021.txt').waitFor();
    await page.goBack();
    await visibleText('211-212 of 212 items').waitFor();
    await button('Uploaded On').click();
    await visibleText('1-10 of 212 items').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('keys move through a long page, of which only nearby rows are rendered', async () => {
    await page.goto(`${journey.engram.url}/allfiles?sort=name&size=200`);
    await visibleText('1-200 of 212 items').waitFor();
    const rows = page.locator('tr[data-file]');
    expect(await rows.count()).toBeLessThan(60);
    await page.getByRole('checkbox', { name: 'Select note 001.txt' }).focus();
    for (let n = 1; n <= 60; n += 1) {
      await page.keyboard.press('Tab');
      // A row appears a frame after the one that scrolled.
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
    }
    expect(await page.locator('*:focus').getAttribute('aria-label')).toMatch(/note 0[01]\d\.txt/u);
    // The height of a row is known once it is visible.
    const focusNextRow = async (): Promise<number> => {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      return file('note 200.txt').count();
    };
    await expect.poll(focusNextRow).toBe(1);
    await visibleText('1-200 of 212 items').waitFor();
  });

  test('a file is found by name ignoring case, archived, restored and given a keyword', async () => {
    await page.getByLabel('Search files by name').fill('NOTE 20');
    await visibleText('1-10 of 10 items').waitFor();
    await button('Options for note 207.txt').click();
    await page.getByRole('menuitem', { name: 'Archive', exact: true }).click();
    await visibleText('1-9 of 9 items').waitFor();
    // The focus moves to the next row.
    await page.locator('*:focus[aria-label="Options for note 208.txt"]').waitFor();
    await page.getByLabel('Show Archived Only').check();
    await file('note 207.txt').waitFor();
    await visibleText('1-1 of 1 item').waitFor();
    await button('Add a keyword to note 207.txt').click();
    await page.locator('*:focus[aria-label="Search or add a keyword"]').waitFor();
    await page.keyboard.type('Boat house');
    await page
      .getByText('Keywords can only contain alphabets and numbers upto 20 characters.')
      .waitFor();
    await page.getByRole('textbox', { name: 'Search or add a keyword' }).fill('Boathouse');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await button('Remove Boathouse from note 207.txt').waitFor();
    await button('Options for note 207.txt').click();
    await page.getByRole('menuitem', { name: 'Un-Archive' }).click();
    await page.getByText('No archived file of that name').waitFor();
    const { data } = await ann.client.call(listArtifacts, { query: { keyword: 'Boathouse' } });
    expect(data.map(({ artifactFileName }) => artifactFileName)).toEqual(['note 207.txt']);
  });

  test('a hundred files are given a keyword in four actions', async () => {
    await page.goto(`${journey.engram.url}/allfiles?sort=name&q=note+1`);
    let actions = 0;
    const countAction = (action: Promise<unknown>): Promise<unknown> => {
      actions += 1;
      return action;
    };
    await countAction(
      page.getByRole('checkbox', { name: 'Select all files on this page' }).check(),
    );
    await countAction(button('Select all 100').click());
    await page.getByText('100 files selected').waitFor();
    await countAction(button('Keyword').click());
    await page.getByRole('textbox', { name: 'Search or add a keyword' }).fill('Harbour');
    await countAction(page.keyboard.press('Enter'));
    await page.getByText('100 files have the keyword Harbour.').waitFor();
    expect(actions).toBe(4);
    await page.goto(`${journey.engram.url}/allfiles?keyword=Harbour`);
    await visibleText('1-10 of 100 items').waitFor();
    await page.goto(`${journey.engram.url}/allfiles?sort=name`);
  });

  test('a picture is shown without leaving the list', async () => {
    await page.goto(`${journey.engram.url}/allfiles?q=sunrise`);
    await button('Preview Sunrise.png').click();
    await page.getByRole('dialog').getByRole('img', { name: 'Sunrise.png' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('*:focus[aria-label="Preview Sunrise.png"]').waitFor();
  });

  test('files of several pages are deleted after a confirmation, and the last page is shown', async () => {
    await page.goto(`${journey.engram.url}/allfiles?sort=name&page=22`);
    await visibleText('211-212 of 212 items').waitFor();
    await page.getByLabel('Select all files on this page').check();
    await button('Prev').click();
    await page.getByRole('checkbox', { name: 'Select note 205.txt' }).check();
    await page.getByText('2 on other pages').waitFor();
    await button('Last').click();
    await visibleText('211-212 of 212 items').waitFor();
    await button('Delete').click();
    await page.getByText('1 of them on other pages').waitFor();
    await confirm();
    await page.getByText('3 files were deleted.').waitFor();
    // First, because it is so for ten seconds only.
    expect(await total()).toBe(212);
    await visibleText('201-209 of 209 items').waitFor();
    expect(new URL(page.url()).searchParams.get('page')).toBe('21');
    await page.reload();
    await expect.poll(total).toBe(209);
    // The list that loads during the deletion may still contain the files.
    await page.reload();
    await visibleText('201-209 of 209 items').waitFor();
  });

  const deleteNote = async (name: string): Promise<void> => {
    await button(`Options for ${name}`).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await confirm();
    await button('Undo').waitFor();
    await file(name).waitFor({ state: 'detached' });
  };

  test('a deleted file is restored by Undo, and otherwise deleted after ten seconds', async () => {
    await page.clock.install();
    await page.goto(`${journey.engram.url}/allfiles?sort=name`);
    await deleteNote('note 001.txt');
    await button('Undo').click();
    await file('note 001.txt').waitFor();
    await page.clock.runFor(11_000);
    expect(await total()).toBe(209);
    await deleteNote('note 001.txt');
    await page.clock.runFor(11_000);
    await expect.poll(total).toBe(208);
    await button('Undo').waitFor({ state: 'detached' });
    expect(await file('note 001.txt').count()).toBe(0);
  });

  test('a deleted file is deleted when the page is left before the ten seconds are over', async () => {
    await deleteNote('note 002.txt');
    await page.goto(`${journey.engram.url}/keywords`);
    await expect.poll(total).toBe(207);
  });

  test('a file that is open beside the list is marked there, and deleted from the viewer', async () => {
    await page.goto(`${journey.engram.url}/allfiles?sort=name`);
    await file('note 003.txt').click();
    const pane = page.getByRole('complementary', { name: 'note 003.txt' });
    await pane.getByText('Note number 3.').waitFor();
    const marked = page.locator('tr[aria-current="true"]');
    await marked.getByText('note 003.txt').waitFor();
    await pane.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await confirm();
    await pane.waitFor({ state: 'detached' });
    await file('note 003.txt').waitFor({ state: 'detached' });
    await button('Undo').click();
    await file('note 003.txt').waitFor();
  });

  test.each([1440, 390])('selecting shifts no layout at %d px', async (width) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${journey.engram.url}/allfiles?sort=name`);
    await file('note 003.txt').waitFor();
    await page.evaluate('document.fonts.ready');
    const places = () =>
      page
        .locator('tr[data-file], nav[aria-label="Pages"], footer')
        .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().top));
    const before = await places();
    await page.getByRole('checkbox', { name: 'Select note 003.txt' }).check();
    const bar = page.getByRole('region', { name: 'Selected files' });
    await bar.getByText('1 file selected').waitFor();
    expect(await places()).toEqual(before);
    const box = (await bar.boundingBox())!;
    expect(box.y).toBeGreaterThan(600);
    expect([box.x >= 0, box.x + box.width <= width]).toEqual([true, true]);
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await bar.waitFor({ state: 'detached' });
  });

  test('on a phone one row of controls is above the files, and a sheet has the filters', async () => {
    const search = (await page.getByLabel('Search files by name').boundingBox())!;
    const first = (await page.locator('tr[data-file]').first().boundingBox())!;
    expect(first.y - (search.y + search.height)).toBeLessThan(32);
    await button('Filters').click();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.getByRole('combobox', { name: 'Type' }).selectOption('Pictures');
    await sheet.getByRole('button', { name: 'Show files' }).click();
    await page.getByText('No such file').waitFor();
    await button('Filters (1)').waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('the page size is stored for later visits', async () => {
    await page.goto(`${journey.engram.url}/allfiles`);
    await page.getByLabel('Items per page').selectOption('200');
    await visibleText('1-200 of 207 items').waitFor();
    await page.reload();
    await visibleText('1-200 of 207 items').waitFor();
    await page.goto(`${journey.engram.url}/keywords`);
    await page.goto(`${journey.engram.url}/allfiles`);
    await visibleText('1-200 of 207 items').waitFor();
    expect(problems).toEqual([]);
  });

  const total = async (): Promise<number | undefined> =>
    (await ann.client.call(listArtifacts, { query: { limit: 1 } })).total;
});

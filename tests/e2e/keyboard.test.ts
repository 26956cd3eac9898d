import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { enterCode } from './engram.ts';
import { useJourney } from './journey.test-setup.ts';

const fixtures = path.resolve(import.meta.dirname, 'files');
const ADDRESS = 'kim@example.org';
const QUESTION = 'How much notice does the lease ask for?';
/** More than the tab stops of any page. */
const MAX_STOPS = 80;

/** Runs in the page: the focused element if its focus is invisible, or null. */
const INVISIBLE_FOCUS = `(async () => {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  // What fades in has to be there before it can be seen.
  const settled = () =>
    new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const look = (one) => {
    const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(one);
    return [outlineStyle === 'none' ? '' : outlineWidth, boxShadow, borderColor].join(' ');
  };
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  if (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) return null;
  // A field may leave it to the frame around it: that must look another way without the focus.
  const around = [];
  for (let one = element; one && around.length < 5; one = one.parentElement) around.push(one);
  await settled();
  const focused = around.map(look);
  element.blur();
  await settled();
  const blurred = around.map(look);
  element.focus();
  return focused.some((one, at) => one !== blurred[at]) ? null : element.outerHTML.slice(0, 200);
})()`;

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element.matches(':focus'));

/** Presses Tab until the target has the focus, which must be visible at every stop. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < MAX_STOPS && !(await hasFocus(target)); stop += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(INVISIBLE_FOCUS)).toBeNull();
  }
  expect(await hasFocus(target)).toBe(true);
}

describe.skipIf(!process.env['CHROMIUM_PATH'])('without a mouse', () => {
  const journey = useJourney();
  let page: Page;

  beforeAll(async () => {
    const context = await journey.browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
    });
    page = await context.newPage();
  });

  const button = (name: string | RegExp) =>
    page.getByRole('button', { name }).locator('visible=true').first();

  /** Opens a page by its link in the sidebar. */
  async function goTo(name: string): Promise<void> {
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await tabTo(page, navigation.getByRole('link', { name, exact: true }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name }).waitFor();
  }

  test('a user signs in and accepts the terms', async () => {
    await page.goto(journey.engram.url);
    await tabTo(page, page.getByRole('textbox', { name: /mail/iu }));
    await page.keyboard.type(ADDRESS);
    await page.keyboard.press('Enter');
    await enterCode(page, journey.engram, ADDRESS);
    const terms = page.getByRole('dialog', { name: 'Terms and Conditions' });
    await tabTo(page, terms.getByRole('button', { name: 'Agree' }));
    await page.keyboard.press('Enter');
  });

  test('skips the first questions', async () => {
    await page.waitForURL('**/questions');
    await tabTo(page, button('I WILL DO LATER'));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/home');
  });

  test('uploads a file', async () => {
    await tabTo(page, button('UPLOAD FILES'));
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog');
    await panel.getByText('Upload your files to start organizing your content').waitFor();
    const fileChooser = page.waitForEvent('filechooser');
    await tabTo(page, panel.getByRole('button', { name: /browse|choose|drop/iu }).first());
    await page.keyboard.press('Enter');
    await (await fileChooser).setFiles(path.join(fixtures, 'lease.pdf'));
    await tabTo(page, panel.getByRole('button', { name: 'UPLOAD', exact: true }));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/allfiles');
    await page.getByRole('cell', { name: 'Yes', exact: true }).first().waitFor();
  });

  test('opens the menu of the file, and closes it', async () => {
    const options = button('Options for lease.pdf');
    await tabTo(page, options);
    await page.keyboard.press('Enter');
    const items = page.getByRole('menuitem');
    await items.first().waitFor();
    await page.locator('[role=menu]:focus-within').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.locator('[role=menuitem]:focus').count()).toBe(1);
    await page.keyboard.press('Escape');
    await items.first().waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(options)).toBe(true);
  });

  test('tags the file', async () => {
    await tabTo(page, button('Add a keyword to lease.pdf'));
    await page.keyboard.press('Enter');
    const keywordInput = page.getByRole('textbox', { name: 'Search or add a keyword' });
    await keywordInput.waitFor();
    await expect.poll(() => hasFocus(keywordInput)).toBe(true);
    await page.keyboard.type('Pier');
    await page.getByRole('listbox', { name: 'Keywords' }).getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await button(/Pier/u).waitFor();
    await page.keyboard.press('Escape');
  });

  test('asks a question, opens a source and returns to the answer', async () => {
    await page.locator('main').focus();
    // At once, because the second key counts only for a moment.
    await Promise.all([page.keyboard.press('g'), page.keyboard.press('s')]);
    await page.waitForURL('**/search');
    const input = page.getByRole('textbox', { name: 'Ask your AI Brain anything' });
    await tabTo(page, input);
    await page.keyboard.type(QUESTION);
    await page.keyboard.press('Enter');
    const source = button(/^Open lease\.pdf/u).first();
    await tabTo(page, source);
    await page.keyboard.press('Enter');
    const pane = page.getByRole('complementary', { name: /^Passage 1:/u });
    await pane.getByTestId('quote').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-evidence]').waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(source)).toBe(true);
  });

  test('finds the file in the palette, opens it beside the page and returns', async () => {
    const field = page.getByRole('combobox', { name: /^Find files/u });
    await page.keyboard.press('Control+k');
    await expect.poll(() => hasFocus(field)).toBe(true);
    await page.keyboard.type('lease');
    const file = page.getByRole('option', { name: /lease\.pdf/u });
    await file.waitFor();
    await page.keyboard.press('ArrowDown');
    // The list follows the field a frame later.
    await expect.poll(() => file.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    const pane = page.getByRole('complementary', { name: 'lease.pdf' });
    await pane.waitFor();
    await page.keyboard.press('Escape');
    await pane.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(button(/^Open lease\.pdf/u).first())).toBe(true);
  });

  test('opens a source by its number, searches in it, moves between hits and returns', async () => {
    await page.keyboard.press('1');
    const pane = page.getByRole('complementary', { name: /^Passage 1: / });
    await pane.getByTestId('quote').first().waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('heating');
    await pane.getByText('1 of 1').waitFor();
    await pane.getByTestId('quote').getByText('Heating').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => hasFocus(button('Find in this file'))).toBe(true);
    await page.keyboard.press(']');
    await page.keyboard.press('[');
    await pane.getByTestId('quote').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-evidence]').waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(button(/^Open lease\.pdf/u).first())).toBe(true);
  });

  test('saves the answer and finds it in the history', async () => {
    await tabTo(page, button('Save'));
    await page.keyboard.press('Enter');
    await goTo('History');
    await page.getByRole('heading', { name: 'TODAY' }).waitFor();
    const saved = page.getByRole('checkbox', { name: 'Show Saved Only' });
    await tabTo(page, saved);
    await page.keyboard.press('Space');
    await tabTo(
      page,
      page
        .getByRole('main')
        .getByRole('button', { name: /^How much notice does the lease ask for\?/u })
        .first(),
    );
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search**');
    await button(/^Open lease\.pdf/u)
      .first()
      .waitFor();
  });

  test('adds a keyword', async () => {
    await goTo('Keywords');
    const keywordInput = page.getByRole('searchbox');
    await tabTo(page, keywordInput);
    await page.keyboard.type('harbour');
    await tabTo(page, button(/^Add/u));
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Active Keywords' }).getByText('harbour').waitFor();
  });

  test('logs out', async () => {
    await tabTo(page, button('Logout'));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});

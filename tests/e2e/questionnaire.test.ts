import { createClient } from '@engram/client';
import { listAnsweredQuestions } from '@engram/contract';
import { type Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { enterCode } from './engram.ts';
import { useJourney } from './journey.test-setup.ts';

const QUESTIONS = 5;
const SUCCESS = 'Your account has been successfully created.';

describe.skipIf(!process.env['CHROMIUM_PATH'])('the questionnaire', () => {
  const journey = useJourney();

  /** Signs in on the login page by keyboard. */
  async function signIn(page: Page, email: string): Promise<void> {
    await page.goto(`${journey.engram.url}/`);
    await page.getByRole('textbox', { name: /mail/iu }).focus();
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
    await enterCode(page, journey.engram, email);
  }

  async function agree(page: Page): Promise<void> {
    await page.getByRole('dialog').locator('button:focus', { hasText: 'Agree' }).waitFor();
    await page.keyboard.press('Enter');
  }

  const openPage = async (email: string, width = 1440): Promise<Page> => {
    const context = await journey.browser.newContext({ viewport: { width, height: 900 } });
    const page = await context.newPage();
    await signIn(page, email);
    await agree(page);
    await page.waitForURL('**/questions');
    await page.getByText(`Question 1 of ${QUESTIONS}`).waitFor();
    return page;
  };

  /** Ends the session, and signs in in a new tab, because the old one would return to its page. */
  async function signInAgain(page: Page, email: string): Promise<Page> {
    await page.evaluate(async () => {
      const authorization = `Bearer ${sessionStorage.getItem('authToken')}`;
      await fetch('/v1/auth/logout', { method: 'POST', headers: { authorization } });
    });
    const tab = await page.context().newPage();
    await page.close();
    await signIn(tab, email);
    return tab;
  }

  const selectedOptions = async (page: Page): Promise<(string | null)[]> => {
    const token = await page.evaluate(() => sessionStorage.getItem('authToken'));
    const client = createClient({ baseUrl: `${journey.engram.url}/v1`, token: () => token });
    const { data } = await client.call(listAnsweredQuestions, {});
    return data.map(({ selectedOptionId }) => selectedOptionId);
  };

  test('a new user answers the questions by keyboard, and is not asked again', async () => {
    const page = await openPage('ann@example.org');
    await expect.poll(() => page.locator('main:focus, main :focus').count()).toBe(1);
    // From the page's heading to the first option.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    for (let step = 2; step <= QUESTIONS; step += 1) {
      await page.getByText(`Question ${step} of ${QUESTIONS}`).waitFor();
      await expect.poll(() => page.locator('input[type=radio]:focus').count()).toBe(1);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    }
    // First, because it disappears after some seconds.
    await page.getByText(SUCCESS).waitFor();
    expect(await page.getByText(SUCCESS).count()).toBe(1);
    await page.waitForURL('**/home');
    expect(await selectedOptions(page)).toEqual(['work', 'dates', 'health', 'overview', 'older']);

    const tab = await signInAgain(page, 'ann@example.org');
    await tab.waitForURL('**/home');
    expect(await tab.evaluate(() => sessionStorage.getItem('q_exits'))).toBe('false');
    await tab.context().close();
  });

  test('a reload continues at the same question', async () => {
    const page = await openPage('bob@example.org');
    const second = page.getByRole('radio').nth(1);
    await second.check();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText(`Question 2 of ${QUESTIONS}`).waitFor();
    await page.reload();
    await page.getByText(`Question 2 of ${QUESTIONS}`).waitFor();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByText(`Question 1 of ${QUESTIONS}`).waitFor();
    expect(await second.isChecked()).toBe(true);
    await page.context().close();
  });

  test('skipping is stored until the next sign-in', async () => {
    const page = await openPage('cara@example.org');
    await page.getByRole('button', { name: 'Skip', exact: true }).click();
    await page.waitForURL('**/home');
    expect(await page.evaluate(() => sessionStorage.getItem('q_exits'))).toBe('false');
    await page.goto(`${journey.engram.url}/`);
    await page.waitForURL('**/search');
    expect(await selectedOptions(page)).toEqual(Array.from({ length: QUESTIONS }, () => null));

    const tab = await signInAgain(page, 'cara@example.org');
    await tab.waitForURL('**/questions');
    await tab.getByRole('button', { name: 'I WILL DO LATER' }).click();
    await tab.waitForURL('**/home');
    await tab.context().close();
  });

  test('the background moves, can be paused, and does not move with reduced motion', async () => {
    const page = await openPage('dan@example.org', 360);
    const isMoving = (): Promise<boolean> =>
      page.evaluate(`[...document.querySelectorAll('video')].some(({ paused }) => !paused)`);
    await expect.poll(isMoving).toBe(true);
    const pause = page.getByRole('button', { name: 'Pause the background' });
    await pause.click();
    await expect.poll(isMoving).toBe(false);
    await pause.click();
    await expect.poll(isMoving).toBe(true);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.locator('img[src$="engram-backdrop.webp"]').waitFor();
    expect([await isMoving(), await pause.count()]).toEqual([false, 0]);
    const overflow = await page.evaluate(
      `document.documentElement.scrollWidth - window.innerWidth`,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    await page.context().close();
  });
});

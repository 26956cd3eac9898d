import { type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type IdentityProviderServer,
  startIdentityProvider,
} from '../../apps/server/src/tests/identity-provider.test-setup.ts';
import { useJourney } from './journey.test-setup.ts';
import { collectProblems } from './user.test-setup.ts';

const account = { sub: 'g-1', email: 'ann@example.org', email_verified: true, name: 'Ann Becker' };

describe.skipIf(!process.env['CHROMIUM_PATH'])('signing in with Google in a browser', () => {
  let provider: IdentityProviderServer;
  beforeAll(async () => {
    provider = await startIdentityProvider();
  });
  afterAll(() => provider?.close());
  const journey = useJourney({ env: () => provider.env });
  let context: BrowserContext;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    provider.configure({ redirectUris: [`${journey.engram.url}/`] });
    Object.assign(provider, { account, decision: 'ask' });
    await openTab();
  });

  /** A browser without cookies. */
  async function openTab(): Promise<void> {
    await context?.close();
    context = await journey.browser.newContext({ viewport: { width: 1440, height: 900 } });
    page = await context.newPage();
    collectProblems(page, problems, (message) => {
      const isFromEngram = message.location().url.startsWith(journey.engram.url);
      return isFromEngram && !message.text().includes('401');
    });
  }

  const startSignIn = async () => {
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await page.getByRole('heading', { name: 'Sign in as ann@example.org?' }).waitFor();
  };
  const path = () => new URL(page.url()).pathname;

  test('a user who refuses at Google returns to the sign-in with a message', async () => {
    await page.goto(journey.engram.url);
    await startSignIn();
    await page.getByRole('link', { name: 'Cancel' }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('You did not allow the sign-in with Google.');
    expect(page.url()).toBe(`${journey.engram.url}/`);
  });

  test('a user who agrees at Google accepts the terms, then answers the questions', async () => {
    await startSignIn();
    await page.getByRole('link', { name: 'Continue' }).click();
    const terms = page.getByRole('dialog', { name: 'Terms and Conditions' });
    await terms.getByRole('button', { name: 'Agree' }).click();
    await page.waitForURL('**/questions');
    const profile = await page.evaluate(async () => {
      const response = await fetch('/v1/user/profile', {
        headers: { authorization: `Bearer ${sessionStorage.getItem('authToken')}` },
      });
      return (await response.json()) as { data: { email: string; name: string } };
    });
    expect(profile.data).toMatchObject({ email: 'ann@example.org', name: 'Ann Becker' });
    expect(await page.evaluate(() => sessionStorage.getItem('googleSignIn'))).toBeNull();
  });

  test('the session continues in another tab', async () => {
    const tab = await context.newPage();
    await tab.goto(`${journey.engram.url}/allfiles`);
    await tab.getByRole('heading', { name: 'Files', exact: true }).waitFor();
    await tab.close();
  });

  test('a page that needs a sign-in is reached after it, with the keyboard only', async () => {
    await openTab();
    await page.goto(`${journey.engram.url}/history`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const google = page.getByRole('button', { name: 'Continue with Google' });
    await google.waitFor();
    await page.getByLabel('Email').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await google.evaluate('document.activeElement?.textContent')).toBe(
      'Continue with Google',
    );
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    expect(path()).toBe('/history');
  });

  test('a redirect from Google without an attempt in this tab signs no user in', async () => {
    await openTab();
    await page.goto(`${journey.engram.url}/?code=stolen&state=made-up`);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('was not started in this tab');
    expect(page.url()).toBe(`${journey.engram.url}/`);
    expect(await page.evaluate(() => sessionStorage.getItem('authToken'))).toBeNull();
  });

  test('going back from Google leaves the sign-in as it was', async () => {
    await startSignIn();
    await page.goBack();
    const google = page.getByRole('button', { name: 'Continue with Google' });
    await google.waitFor();
    await expect.poll(() => google.getAttribute('aria-busy')).toBe('false');
  });

  test('the browser reported no errors', () => {
    expect(problems).toEqual([]);
  });
});

import { createClient } from '@engram/client';
import { updateProfile } from '@engram/contract';
import type { CDPSession, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { signIn } from './engram.ts';
import { useJourney } from './journey.test-setup.ts';
import { collectProblems } from './user.test-setup.ts';

const ADDRESS = 'ann@example.org';

describe.skipIf(!process.env['CHROMIUM_PATH'])('passkeys in a browser', () => {
  const problems: string[] = [];
  const journey = useJourney();
  let page: Page;
  let devtools: CDPSession;
  let authenticatorId: string;
  let token: string;

  beforeAll(async () => {
    token = await signIn(journey.engram, ADDRESS);
    const client = createClient({ baseUrl: `${journey.engram.url}/v1`, token: () => token });
    await client.call(updateProfile, { body: { isAgreedTerms: true } });
    const context = await journey.browser.newContext({
      viewport: { width: 1440, height: 900 },
      serviceWorkers: 'block',
    });
    page = await context.newPage();
    // The refused sign-in has the status 401, which the browser reports as an error.
    collectProblems(page, problems, (message) => !message.text().includes('401'));
    devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    ({ authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    }));
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const passkeys = () => page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');
  const openSecurity = () => page.goto(`${journey.engram.url}/profile#security`);
  const signOut = async () => {
    await page.evaluate(async () => {
      const authorization = `Bearer ${sessionStorage.getItem('authToken')}`;
      await fetch('/v1/auth/logout', { method: 'POST', headers: { authorization } });
      sessionStorage.clear();
    });
    await page.goto(journey.engram.url);
  };

  test('a passkey is added under Security', async () => {
    await page.goto(journey.engram.url);
    await page.evaluate((token) => sessionStorage.setItem('authToken', token), token);
    await openSecurity();
    await page.getByText('You have no passkeys.').waitFor();
    await button('Add a passkey').click();
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Chrome on Linux');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await passkeys().getByText('Not used yet').waitFor();
    await page.getByText('Passkey added: Chrome on Linux').waitFor();
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials).toEqual([
      expect.objectContaining({ isResidentCredential: true, rpId: 'localhost' }),
    ]);
  });

  test('a second one on the same device is refused with the reason', async () => {
    await button('Add a passkey').click();
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('Your account already has a passkey on this device.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
  });

  test('signing in needs no code, and the session is restored in another tab', async () => {
    await signOut();
    await button('Sign in with a passkey').click();
    await page.waitForURL((url) => url.pathname !== '/');
    await openSecurity();
    await passkeys().getByText('Last used').waitFor();
    const tab = await page.context().newPage();
    await tab.goto(`${journey.engram.url}/allfiles`);
    await tab.getByRole('heading', { name: 'Files', exact: true }).waitFor();
    await tab.close();
  });

  test('a passkey is renamed and removed, and then no longer signs in', async () => {
    await button(/^Rename Chrome on Linux/u).click();
    await page.getByRole('dialog', { name: 'Rename passkey' }).getByLabel('Name').fill('Laptop');
    await page.keyboard.press('Enter');
    await button(/^Remove Laptop/u).click();
    await page
      .getByRole('dialog', { name: 'Remove passkey' })
      .getByRole('button', { name: 'Remove' })
      .click();
    await page.getByText('You have no passkeys.').waitFor();
    await page.getByText('Passkey removed: Laptop').waitFor();
    await signOut();
    await button('Sign in with a passkey').click();
    await page.getByText('The passkey was not accepted.').waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('authToken'))).toBeNull();
  });

  test('the browser reported no errors', () => {
    expect(problems).toEqual([]);
  });
});

import type { Page } from 'playwright-core';

/** What a picture is taken of. */
export interface View {
  /** The beginning of the picture's name. */
  name: string;
  /** Whether somebody is signed in. */
  signedIn: boolean;
  /** Shows it; `entry` is the history id of an answer, `share` the address of a shared one. */
  show: (page: Page, at: { url: string; entry: string; share: string }) => Promise<void>;
}

const go = async (page: Page, address: string): Promise<void> => {
  await page.goto(address);
  await page.waitForLoadState('networkidle');
};

const signedOut = (name: string, path: string): View => ({
  name,
  signedIn: false,
  show: (page, { url }) => go(page, `${url}${path}`),
});

const signedIn = (name: string, path: string): View => ({
  name,
  signedIn: true,
  show: (page, { url }) => go(page, `${url}${path}`),
});

const answer: View['show'] = (page, { url, entry }) => go(page, `${url}/search?entry=${entry}`);

/** Every screen, in the order of a first visit. */
export const views: View[] = [
  signedOut('home', '/home'),
  signedOut('login', '/'),
  {
    name: 'login-code',
    signedIn: false,
    async show(page, { url }) {
      await go(page, url);
      await page.getByRole('textbox', { name: /mail/iu }).fill('someone@example.org');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'OTP Verification' }).waitFor();
    },
  },
  signedIn('questions', '/questions'),
  signedIn('search', '/search'),
  { name: 'answer', signedIn: true, show: answer },
  {
    name: 'source',
    signedIn: true,
    async show(page, at) {
      await answer(page, at);
      await page
        .getByRole('button', { name: /^Source 1:/u })
        .first()
        .click();
      await page.getByRole('dialog').getByTestId('quote').first().waitFor();
    },
  },
  {
    name: 'related-files',
    signedIn: true,
    async show(page, at) {
      await answer(page, at);
      await page.getByRole('button', { name: 'View All' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'history',
    signedIn: true,
    show: (page, { url, entry }) => go(page, `${url}/history?entry=${entry}`),
  },
  signedIn('keywords', '/keywords'),
  signedIn('files', '/allfiles'),
  {
    name: 'upload',
    signedIn: true,
    async show(page, { url }) {
      await go(page, `${url}/home`);
      await page.getByRole('button', { name: 'UPLOAD FILES' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'shared-answer', signedIn: false, show: (page, { share }) => go(page, share) },
];

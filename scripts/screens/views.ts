import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Programs } from './programs.ts';

/** What there is to show. */
export interface Shown extends Programs {
  /** Address of the server. */
  url: string;
  /** Address of the app as developers have it. */
  dev: string;
  /** History id of an answer with sources. */
  entry: string;
  /** History id of a question that the files do not answer. */
  unanswered: string;
  /** Address of a shared answer. */
  share: string;
}

/** What a picture is taken of. */
export interface View {
  /** The beginning of the picture's name. */
  name: string;
  /** Whether somebody is signed in. */
  signedIn: boolean;
  /** Whose account is shown, where it is not that of the library's owner. */
  visitor?: string;
  /** Whether all of the page is taken, and not what a window shows of it. */
  whole?: boolean;
  show: (page: Page, at: Shown) => Promise<void>;
}

const go = async (page: Page, address: string): Promise<void> => {
  await page.goto(address);
  await page.waitForLoadState('networkidle');
};

const signedOut = (name: string, address: string): View => ({
  name,
  signedIn: false,
  show: (page, { url }) => go(page, `${url}${address}`),
});

const signedIn = (name: string, address: string): View => ({
  name,
  signedIn: true,
  show: (page, { url }) => go(page, `${url}${address}`),
});

const answer: View['show'] = (page, { url, entry }) => go(page, `${url}/search?entry=${entry}`);

/** An answer with something opened over it by a button. */
const overAnswer = (name: string, button: string, opened: string): View => ({
  name,
  signedIn: true,
  async show(page, at) {
    await answer(page, at);
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('dialog').locator(opened).first().waitFor();
    await page.waitForLoadState('networkidle');
  },
});

/** Somebody who can still buy a plan. */
const WITHOUT_PLAN = 'jonas.becker@example.org';

const checkout: View['show'] = async (page, { url }) => {
  await go(page, `${url}/pricing`);
  await page.getByRole('tab', { name: 'Monthly' }).click();
  await page.getByRole('button', { name: 'Get Started with Engram - Pro' }).click();
  await page.getByRole('button', { name: /^Pay/u }).waitFor();
};

const upgrade: View['show'] = async (page, { url }) => {
  await go(page, `${url}/pricing?upgrade=true`);
  await page.getByRole('tab', { name: /^Yearly/u }).click();
  const plan = page.getByRole('button', { name: /Engram - Elite/u }).first();
  if ((await plan.getAttribute('aria-expanded')) === 'false') await plan.click();
  await page.getByRole('button', { name: 'Get Started with Engram - Elite' }).click();
  await page.getByRole('dialog', { name: 'Confirm Upgrade' }).waitFor();
};

const newKey: View['show'] = async (page, { url }) => {
  await go(page, `${url}/settings`);
  await page.getByRole('textbox').fill(`Reading list ${Date.now() % 1000}`);
  await page.getByRole('button', { name: 'Generate Key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).waitFor();
};

/** What an assistant's link to a source opens. */
const citedPlace: View['show'] = async (page, at) => {
  const told = page.waitForResponse(/\/search\/history\/thread\?/u);
  await answer(page, at);
  const { data } = (await (await told).json()) as {
    data: { citations: { artifactId: string; start: number; end: number }[] }[];
  };
  const [{ artifactId, start, end } = { artifactId: '', start: 0, end: 0 }] =
    data[0]?.citations ?? [];
  await go(page, `${at.url}/source/${artifactId}?from=${start}&to=${end}`);
  await page.locator('[data-evidence]').getByTestId('quote').first().waitFor();
};

const freshCode: View['show'] = async (page, { url }) => {
  const stale = { message: 'Please confirm.', code: 'fresh_code_needed' };
  // As a quarter of an hour after the sign-in.
  await page.route('**/account/export/link', (route) =>
    route.fulfill({ status: 403, json: stale }),
  );
  await go(page, `${url}/profile`);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByText('were sent to').waitFor();
};

const blogPost: View['show'] = async (page, { url }) => {
  await go(page, `${url}/blog`);
  await page
    .getByRole('link', { name: /Read More/u })
    .first()
    .click();
  await page.getByRole('article').waitFor();
};

const FILES = path.resolve(import.meta.dirname, '../../tests/e2e/files');

const fileOf = async (name: string, mimeType: string) => ({
  name,
  mimeType,
  buffer: await readFile(path.join(FILES, name)),
});

async function chooseFiles(page: Page, { url }: { url: string }): Promise<void> {
  await go(page, `${url}/home`);
  await page.getByRole('button', { name: 'UPLOAD FILES' }).click();
  const panel = page.getByRole('dialog');
  await panel
    .locator('input[type=file]')
    .setInputFiles([
      await fileOf('lease.pdf', 'application/pdf'),
      await fileOf('household.csv', 'text/csv'),
      { name: 'Model train.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') },
    ]);
  await panel.getByText('household.csv').waitFor();
  await panel.getByRole('textbox', { name: 'Text' }).fill('The spare key hangs behind the boiler.');
}

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
  {
    name: 'questions',
    signedIn: true,
    async show(page, { url }) {
      await go(page, `${url}/questions`);
      await page.getByRole('radio').nth(1).check({ force: true });
    },
  },
  { name: 'upload', signedIn: true, show: chooseFiles },
  signedIn('files', '/allfiles'),
  signedIn('ask', '/search'),
  {
    name: 'suggestions',
    signedIn: true,
    async show(page, { url }) {
      await go(page, `${url}/search`);
      await page.getByRole('textbox').pressSequentially('When does the gym mem');
      await page.getByRole('option').first().waitFor();
    },
  },
  { name: 'search', signedIn: true, show: answer },
  {
    name: 'source',
    signedIn: true,
    async show(page, at) {
      await answer(page, at);
      await page
        .getByRole('button', { name: /^Open .+, (?:page|line|row) /u })
        .first()
        .click();
      await page.locator('[data-evidence]').getByTestId('quote').first().waitFor();
    },
  },
  overAnswer('related-files', 'View All', 'img'),
  {
    name: 'no-answer',
    signedIn: true,
    show: (page, { url, unanswered }) => go(page, `${url}/search?entry=${unanswered}`),
  },
  overAnswer('share', 'Share', 'button:has-text("Create link")'),
  { name: 'shared-answer', signedIn: false, show: (page, { share }) => go(page, share) },
  {
    name: 'history',
    signedIn: true,
    show: async (page, { url, entry }) => {
      await go(page, `${url}/history?entry=${entry}`);
      await page.getByRole('article', { name: 'Answer' }).waitFor();
    },
  },
  signedIn('keywords', '/keywords'),
  signedIn('profile', '/profile'),
  signedIn('preferences', '/profile#yourpreferences'),
  signedIn('security', '/profile#security'),
  { name: 'connect', signedIn: true, show: (page, { connect }) => go(page, connect) },
  signedOut('connect-refused', '/connect/refused?error=invalid_client'),
  { name: 'device', signedIn: true, show: (page, { device }) => go(page, device) },
  {
    name: 'device-consent',
    signedIn: true,
    async show(page, { device }) {
      await go(page, device);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Allow' }).waitFor();
    },
  },
  {
    name: 'connections',
    signedIn: true,
    async show(page, { url }) {
      await go(page, `${url}/profile#security`);
      await page.getByText('Connected apps and devices').scrollIntoViewIfNeeded();
    },
  },
  { name: 'fresh-code', signedIn: true, show: freshCode },
  signedIn('delete-account', '/profile#delete-account'),
  signedIn('billing', '/profile#billing'),
  signedIn('invoices', '/profile#invoices'),
  signedIn('admin', '/profile#admin'),
  signedIn('pricing', '/pricing'),
  { name: 'checkout', signedIn: true, visitor: WITHOUT_PLAN, show: checkout },
  { name: 'upgrade', signedIn: true, show: upgrade },
  signedIn('payment', '/message'),
  signedIn('api', '/settings'),
  { name: 'new-key', signedIn: true, show: newKey },
  signedIn('assistants', '/settings#integrations'),
  {
    name: 'connecting',
    signedIn: true,
    async show(page, { url }) {
      await go(page, `${url}/documentation#mcp`);
      await page.getByText('Claude Code:').waitFor();
    },
  },
  { name: 'cited-place', signedIn: true, show: citedPlace },
  signedIn('documentation', '/documentation'),
  {
    name: 'calls',
    signedIn: true,
    async show(page, { url }) {
      await go(page, `${url}/documentation#search`);
      await page.getByRole('heading', { name: 'Ask a question' }).waitFor();
    },
  },
  signedIn('connector', '/connector'),
  signedIn('faq', '/faq'),
  signedOut('features', '/features'),
  signedOut('contact', '/contact'),
  signedOut('privacy', '/privacy'),
  signedOut('terms', '/terms'),
  signedOut('blog', '/blog'),
  { name: 'post', signedIn: false, show: blogPost },
  {
    name: 'kit',
    signedIn: false,
    whole: true,
    async show(page, { dev }) {
      await page.goto(`${dev}/kit`);
      await page.getByRole('heading', { name: 'Kit' }).waitFor();
      await page.waitForLoadState('networkidle');
    },
  },
];

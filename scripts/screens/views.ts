import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Programs } from './programs.ts';

/** The addresses and ids that the views need. */
export interface Shown extends Programs {
  /** Address of the server. */
  url: string;
  /** History id of an answer with sources. */
  entry: string;
  /** History id of a question that the files do not answer. */
  unanswered: string;
  /** Address of a shared answer. */
  share: string;
}

/** A screen to take a picture of. */
export interface View {
  /** The start of the picture's name. */
  name: string;
  /** Which user is signed in; null for nobody. */
  user: string | null;
  show: (page: Page, at: Shown) => Promise<unknown>;
}

/** The owner of the library. */
export const OWNER = 'mara.visser@example.org';
/** A user who can still buy a plan. */
const WITHOUT_PLAN = 'jonas.becker@example.org';

const FILES = path.resolve(import.meta.dirname, '../../tests/e2e/files');

const go = async (page: Page, address: string): Promise<void> => {
  await page.goto(address);
  await page.waitForLoadState('networkidle');
};

type Address = string | ((at: Shown) => string);
type Steps = (page: Page, at: Shown) => Promise<unknown>;

/** A page of a user, after some steps on it. */
const view =
  (user: string | null) =>
  (name: string, address: Address, steps?: Steps): View => ({
    name,
    user,
    async show(page, at) {
      await go(page, typeof address === 'string' ? at.url + address : address(at));
      await steps?.(page, at);
    },
  });

const signedOut = view(null);
const signedIn = view(OWNER);

const answer = ({ url, entry }: Shown): string => `${url}/search?entry=${entry}`;

/** Opens a dialog by a button and waits for a part of it. */
const open =
  (button: string, part: string): Steps =>
  async (page) => {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('dialog').locator(part).first().waitFor();
    await page.waitForLoadState('networkidle');
  };

const quote = (page: Page) => page.locator('[data-evidence]').getByTestId('quote').first();

async function upgrade(page: Page): Promise<void> {
  await page.getByRole('tab', { name: /^Yearly/u }).click();
  const plan = page.getByRole('button', { name: /Engram - Elite/u }).first();
  if ((await plan.getAttribute('aria-expanded')) === 'false') await plan.click();
  await page.getByRole('button', { name: 'Get Started with Engram - Elite' }).click();
  await page.getByRole('dialog', { name: 'Confirm Upgrade' }).waitFor();
}

/** The page that a link of an assistant opens. */
async function citedPlace(page: Page, at: Shown): Promise<void> {
  const response = page.waitForResponse(/\/search\/history\/thread\?/u);
  await go(page, answer(at));
  const { data } = (await (await response).json()) as {
    data: { citations: { artifactId: string; start: number; end: number }[] }[];
  };
  const citation = data[0]?.citations[0];
  if (!citation) throw new Error('The answer has no citation.');
  const { artifactId, start, end } = citation;
  await go(page, `${at.url}/source/${artifactId}?from=${start}&to=${end}`);
  await quote(page).waitFor();
}

/** The dialog that asks for a new code, as 15 minutes after the sign-in. */
async function recentAuthentication(page: Page, { url }: Shown): Promise<void> {
  const json = { message: 'Please confirm.', code: 'fresh_code_needed' };
  await page.route('**/account/export/link', (route) => route.fulfill({ status: 403, json }));
  await go(page, `${url}/profile`);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByText('were sent to').waitFor();
}

async function chooseFiles(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'UPLOAD FILES' }).click();
  const panel = page.getByRole('dialog');
  const files = [
    { name: 'lease.pdf', mimeType: 'application/pdf' },
    { name: 'household.csv', mimeType: 'text/csv' },
  ].map(async (file) => ({ ...file, buffer: await readFile(path.join(FILES, file.name)) }));
  await panel
    .locator('input[type=file]')
    .setInputFiles([
      ...(await Promise.all(files)),
      { name: 'Model train.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') },
    ]);
  await panel.getByText('household.csv').waitFor();
  await panel.getByRole('textbox', { name: 'Text' }).fill('The spare key hangs behind the boiler.');
}

/** Every screen, in the order of a first visit. */
export const views: View[] = [
  signedOut('home', '/home'),
  signedOut('login', '/'),
  signedOut('login-code', '/', async (page) => {
    await page.getByRole('textbox', { name: /mail/iu }).fill('someone@example.org');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'OTP Verification' }).waitFor();
  }),
  signedIn('questions', '/questions', (page) =>
    page.getByRole('radio').nth(1).check({ force: true }),
  ),
  signedIn('upload', '/home', chooseFiles),
  signedIn('files', '/allfiles'),
  signedIn('ask', '/search'),
  signedIn('suggestions', '/search', async (page) => {
    await page.getByRole('textbox').pressSequentially('When does the gym mem');
    await page.getByRole('option').first().waitFor();
  }),
  signedIn('search', answer),
  signedIn('source', answer, async (page) => {
    const source = page.getByRole('button', { name: /^Open .+, (?:page|line|row) /u });
    await source.first().click();
    await quote(page).waitFor();
  }),
  signedIn('related-files', answer, open('View All', 'img')),
  signedIn('no-answer', ({ url, unanswered }) => `${url}/search?entry=${unanswered}`),
  signedIn('share', answer, open('Share', 'button:has-text("Create link")')),
  signedOut('shared-answer', ({ share }) => share),
  signedIn(
    'history',
    ({ url, entry }) => `${url}/history?entry=${entry}`,
    (page) => page.getByRole('article', { name: 'Answer' }).waitFor(),
  ),
  signedIn('keywords', '/keywords'),
  signedIn('profile', '/profile'),
  signedIn('preferences', '/profile#yourpreferences'),
  signedIn('security', '/profile#security'),
  signedIn('connect', ({ connect }) => connect),
  signedOut('connect-refused', '/connect/refused?error=invalid_client'),
  signedIn('device', ({ device }) => device),
  signedIn(
    'device-consent',
    ({ device }) => device,
    async (page) => {
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Allow' }).waitFor();
    },
  ),
  signedIn('connections', '/profile#security', (page) =>
    page.getByText('Connected apps and devices').scrollIntoViewIfNeeded(),
  ),
  { name: 'fresh-code', user: OWNER, show: recentAuthentication },
  signedIn('delete-account', '/profile#delete-account'),
  signedIn('billing', '/profile#billing'),
  signedIn('invoices', '/profile#invoices'),
  signedIn('admin', '/profile#admin'),
  signedIn('pricing', '/pricing'),
  view(WITHOUT_PLAN)('checkout', '/pricing', async (page) => {
    await page.getByRole('tab', { name: 'Monthly' }).click();
    await page.getByRole('button', { name: 'Get Started with Engram - Pro' }).click();
    await page.getByRole('button', { name: /^Pay/u }).waitFor();
  }),
  signedIn('upgrade', '/pricing?upgrade=true', upgrade),
  signedIn('payment', '/message'),
  signedIn('api', '/settings'),
  signedIn('new-key', '/settings', async (page) => {
    await page.getByRole('textbox').fill(`Reading list ${Date.now() % 1000}`);
    await page.getByRole('button', { name: 'Generate Key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).waitFor();
  }),
  signedIn('assistants', '/settings#integrations'),
  signedIn('connecting', '/documentation#mcp', (page) => page.getByText('Claude Code:').waitFor()),
  { name: 'cited-place', user: OWNER, show: citedPlace },
  signedIn('documentation', '/documentation'),
  signedIn('calls', '/documentation#search', (page) =>
    page.getByRole('heading', { name: 'Ask a question' }).waitFor(),
  ),
  signedIn('connector', '/connector'),
  signedIn('faq', '/faq'),
  signedOut('features', '/features'),
  signedOut('contact', '/contact'),
  signedOut('privacy', '/privacy'),
  signedOut('terms', '/terms'),
  signedOut('blog', '/blog'),
  signedOut('post', '/blog', async (page) => {
    const links = page.getByRole('link', { name: /Read More/u });
    await links.first().click();
    await page.getByRole('article').waitFor();
  }),
];

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Client, createClient, type UploadFile } from '@engram/client';
import { createShare, search, searchReady, updateProfile, uploadArtifacts } from '@engram/contract';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { vi } from 'vitest';
import { paths } from '../../apps/web/src/app/paths.ts';
import { type Engram, openBrowser, signIn, startEngram } from './engram.ts';

const fixtures = path.resolve(import.meta.dirname, 'files');
const QUESTION = 'How much notice does the lease ask for?';

/** What a browser keeps of a signed-in person in each of its tabs. */
type Session = Record<string, string>;

/** A page of the app, or one with something opened on it. */
export interface Scene {
  name: string;
  address: string;
  /** Who looks at it: nobody, somebody with files, or somebody who has yet to accept the terms. */
  as: 'visitor' | 'person' | 'newcomer';
  /** Opens what the scene is about, once the page is there. */
  open?: (page: Page) => Promise<unknown>;
}

const click = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).locator('visible=true').first().click();

const dialog = (page: Page) => page.getByRole('dialog').last().waitFor();

async function ask(page: Page): Promise<void> {
  const input = page.getByRole('textbox', { name: 'Ask your AI Brain anything' });
  await input.fill(QUESTION);
  await input.press('Enter');
  await page
    .getByRole('button', { name: /^Source 1:/u })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Copy' }).first().waitFor();
}

const opened: Scene[] = [
  {
    name: 'the code of a sign-in',
    address: paths.login,
    as: 'visitor',
    open: async (page) => {
      await page.getByRole('textbox', { name: /mail/iu }).fill('someone@example.org');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'OTP Verification' }).waitFor();
    },
  },
  { name: 'a wrong address', address: '/no/such/page', as: 'visitor' },
  { name: 'the home page of a person', address: paths.home, as: 'person' },
  {
    name: 'the terms',
    address: paths.search,
    as: 'newcomer',
    open: (page) => page.getByRole('dialog', { name: 'Terms and Conditions' }).waitFor(),
  },
  { name: 'an answer', address: paths.search, as: 'person', open: ask },
  {
    name: 'a source',
    address: paths.search,
    as: 'person',
    open: async (page) => {
      await ask(page);
      await click(page, /^Source 1:/u);
      await page.getByRole('dialog').getByTestId('quote').first().waitFor();
    },
  },
  {
    name: 'the related files',
    address: paths.search,
    as: 'person',
    open: async (page) => {
      await ask(page);
      await click(page, 'View All');
      await dialog(page);
    },
  },
  {
    name: 'the keys',
    address: paths.search,
    as: 'person',
    open: async (page) => {
      await page.locator('main').focus();
      await page.keyboard.press('?');
      await dialog(page);
    },
  },
  {
    name: 'the upload panel',
    address: paths.files,
    as: 'person',
    open: async (page) => {
      await page.locator('main').focus();
      await page.keyboard.press('u');
      await dialog(page);
      const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note.') };
      const refused = { ...note, name: 'program.exe', mimeType: 'application/x-msdownload' };
      await page.getByRole('dialog').locator('input[type=file]').setInputFiles([note, refused]);
      await page.getByText('File type not supported: program.exe').first().waitFor();
    },
  },
  {
    name: 'the options of a file',
    address: paths.files,
    as: 'person',
    open: async (page) => {
      await click(page, 'Options for boiler.txt');
      await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    },
  },
  {
    name: 'the deletion of a file',
    address: paths.files,
    as: 'person',
    open: async (page) => {
      await click(page, 'Options for boiler.txt');
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('dialog', { name: 'Confirm Delete' }).waitFor();
    },
  },
  {
    name: 'the deletion of the account',
    address: paths.home,
    as: 'person',
    open: async (page) => {
      const menu = page.getByRole('button', { name: 'Open the menu' });
      if (await menu.isVisible()) await menu.click();
      await click(page, 'Delete Account');
      await dialog(page);
    },
  },
  {
    name: 'the checkout',
    address: paths.pricing,
    as: 'person',
    open: async (page) => {
      await click(page, /^Get Started with Engram - Pro/u);
      await click(page, 'Use the card that is paid');
      await click(page, /^Pay/u);
      await page.getByText('Enter the name on the card.').waitFor();
    },
  },
  {
    name: 'the confirmation of an upgrade',
    address: `${paths.pricing}?upgrade=true`,
    as: 'person',
    open: async (page) => {
      await click(page, /^Get Started with Engram - Pro/u);
      await page.getByRole('dialog', { name: 'Confirm Upgrade' }).waitFor();
    },
  },
  {
    name: 'a new API key',
    address: paths.api,
    as: 'person',
    open: async (page) => {
      // Each visit makes one of its own.
      await page
        .getByRole('textbox', { name: 'Name of the new key' })
        .fill(`Key ${crypto.randomUUID()}`);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Your new API key' }).waitFor();
    },
  },
  { name: 'a question of the FAQs', address: `${paths.faq}#refunds`, as: 'person' },
  ...['admin', 'yourpreferences', 'billing', 'invoices'].map((section): Scene => ({
    name: `the section ${section}`,
    address: `${paths.profile}#${section}`,
    as: 'person',
  })),
  {
    name: 'the pick of a person',
    address: `${paths.profile}#admin`,
    as: 'person',
    open: async (page) => {
      await click(page, /^User/u);
      await page.getByRole('option', { name: 'new@example.org' }).waitFor();
    },
  },
  {
    name: 'the photo of the profile',
    address: paths.profile,
    as: 'person',
    open: async (page) => {
      await click(page, 'Add a photo');
      await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
      await page.getByText('Please select an image to upload.').waitFor();
    },
  },
];

/** Addresses that only show who has not signed in yet where they lead. */
const forVisitors = new Set<string>([
  paths.login,
  paths.home,
  paths.privacy,
  paths.terms,
  paths.contact,
  paths.features,
  paths.blog,
  paths.shareAgain,
  paths.sharedAnswer,
]);

/** Every address of the app, and what can be opened on its pages. */
export const scenes: Scene[] = [
  ...Object.values(paths).map((address): Scene => ({
    name: address,
    address,
    as: forVisitors.has(address) ? 'visitor' : 'person',
  })),
  ...opened,
];

/** Uploads files and waits until they can be searched. */
export async function uploadAndWait(client: Client, files: UploadFile[]): Promise<void> {
  await client.upload(uploadArtifacts, files, {});
  const ready = async (): Promise<void> => {
    if (!(await client.call(searchReady, {})).data) throw new Error('The files are not ready.');
  };
  await vi.waitFor(ready, { timeout: 60_000, interval: 100 });
}

/** Uploads the files and asks, so that no page is empty; answers the id of a shared answer. */
async function fill(engram: Engram, token: string): Promise<string> {
  const client = createClient({ baseUrl: `${engram.url}/v1`, token: () => token });
  await client.call(updateProfile, { body: { isAgreedTerms: true } });
  const names = ['lease.pdf', 'household.csv', 'boiler.txt'];
  const files = names.map(async (name) => {
    const bytes = new Uint8Array(await readFile(path.join(fixtures, name)));
    return { name, content: new Blob([bytes]) };
  });
  await uploadAndWait(client, await Promise.all(files));
  let historyId: string | undefined;
  for (const text of ['When was the boiler serviced?', QUESTION]) {
    const { data } = await client.call(search, { body: { text, audio: false } });
    historyId = data.history_id ?? historyId;
  }
  if (!historyId) throw new Error('The question is in no history.');
  const { data: share } = await client.call(createShare, { body: { historyId } });
  return share.id;
}

const sessionOf = (token: string): Session => ({
  authToken: token,
  a_exist: 'true',
  q_exits: 'false',
});

/** The real server with somebody's files and questions, and a browser to look at it. */
export async function startStage(env: Record<string, string> = {}) {
  const engram = await startEngram({
    ENGRAM_LLM: 'none',
    ENGRAM_RATE_LIMITS: 'off',
    ENGRAM_ADMIN_EMAILS: 'ann@example.org',
    ...env,
  });
  const token = await signIn(engram, 'ann@example.org');
  const shareId = await fill(engram, token);
  const newcomer = await signIn(engram, 'new@example.org');
  const sessions = {
    person: { ...sessionOf(token), is_admin: 'true' },
    newcomer: sessionOf(newcomer),
    visitor: {},
  };
  const browser: Browser = await openBrowser();

  /** A page of its own, with nothing kept from others. */
  async function newPage(as: Scene['as'], options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
      ...options,
    });
    await context.addInitScript((session: Session) => {
      for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value);
    }, sessions[as]);
    return context.newPage();
  }

  return {
    engram,
    browser,
    token,
    newPage,

    /** The whole address of a scene. */
    urlOf: ({ address }: Scene): string => engram.url + address.replace(':id', shareId),

    async close(): Promise<void> {
      await browser.close();
      await engram.close();
    },
  };
}

export type Stage = Awaited<ReturnType<typeof startStage>>;

import type { Page } from 'playwright-core';
import { paths } from '../../apps/web/src/app/paths.ts';

const QUESTION = 'How much notice does the lease ask for?';

/** A page of the app, possibly with an open dialog. */
export interface Scene {
  name: string;
  address: string;
  /**
   * The viewer: a signed-out visitor, an admin on the free plan with files, a user with a paid plan,
   * or one who has yet to accept the terms.
   */
  as: 'visitor' | 'user' | 'subscriber' | 'newcomer';
  /** Whether its steps need a recent authentication. */
  isFresh?: boolean;
  /** Performs the steps of the scene on the loaded page. */
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
    .getByRole('button', { name: /^Open .+, (?:page|line|row) /u })
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
  { name: 'the home page of a user', address: paths.home, as: 'user' },
  {
    name: 'the terms',
    address: paths.search,
    as: 'newcomer',
    open: (page) => page.getByRole('dialog', { name: 'Terms and Conditions' }).waitFor(),
  },
  { name: 'an answer', address: paths.search, as: 'user', open: ask },
  {
    name: 'a source',
    address: paths.search,
    as: 'user',
    open: async (page) => {
      await ask(page);
      await click(page, /^Open .+, (?:page|line|row) /u);
      await page.locator('[data-evidence]').getByTestId('quote').first().waitFor();
    },
  },
  {
    name: 'the related files',
    address: paths.search,
    as: 'user',
    open: async (page) => {
      await ask(page);
      await click(page, 'View All');
      await dialog(page);
    },
  },
  {
    name: 'the keys',
    address: paths.search,
    as: 'user',
    open: async (page) => {
      await page.locator('main').focus();
      await page.keyboard.press('?');
      await dialog(page);
    },
  },
  {
    name: 'the palette',
    address: paths.search,
    as: 'user',
    open: async (page) => {
      await page.locator('main').focus();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Find files/u }).fill('lease');
      await page.getByRole('option', { name: /lease\.pdf/u }).waitFor();
    },
  },
  {
    name: 'the upload panel',
    address: paths.files,
    as: 'user',
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
    name: 'the tray',
    address: paths.keywords,
    as: 'user',
    open: async (page) => {
      await page.evaluate(`{
        const data = new DataTransfer();
        data.items.add(new File(['A note.'], 'note.txt', { type: 'text/plain' }));
        data.items.add(new File(['MZ'], 'program.exe'));
        const drop = { dataTransfer: data, bubbles: true, cancelable: true };
        document.body.dispatchEvent(new DragEvent('drop', drop));
      }`);
      await page.getByText('File type not supported: program.exe').first().waitFor();
      await page.getByRole('button', { name: 'Ask about it' }).first().waitFor();
    },
  },
  {
    name: 'the options of a file',
    address: paths.files,
    as: 'user',
    open: async (page) => {
      await click(page, 'Options for boiler.txt');
      await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    },
  },
  {
    name: 'the deletion of a file',
    address: paths.files,
    as: 'user',
    open: async (page) => {
      await click(page, 'Options for boiler.txt');
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('dialog', { name: 'Confirm Delete' }).waitFor();
    },
  },
  {
    name: 'the sessions',
    address: `${paths.profile}#security`,
    as: 'user',
    open: (page) => page.getByRole('list', { name: 'Sessions' }).waitFor(),
  },
  {
    name: 'the name of a new passkey',
    address: `${paths.profile}#security`,
    as: 'user',
    open: async (page) => {
      await click(page, 'Add a passkey');
      await page.getByRole('dialog', { name: 'Add a passkey' }).waitFor();
    },
  },
  {
    name: 'the form of a webhook',
    address: `${paths.api}#integrations`,
    as: 'user',
    open: async (page) => {
      await click(page, 'Add webhook');
      await page.getByRole('dialog', { name: 'Add webhook' }).waitFor();
    },
  },
  {
    name: 'the deletion of the account',
    address: paths.home,
    as: 'user',
    open: async (page) => {
      const menu = page.getByRole('button', { name: 'Open the menu' });
      if (await menu.isVisible()) await menu.click();
      await page
        .getByRole('link', { name: 'Delete Account' })
        .locator('visible=true')
        .first()
        .click();
      await page.getByRole('dialog', { name: 'Confirm Delete' }).waitFor();
    },
  },
  {
    name: 'the checkout',
    address: paths.pricing,
    as: 'user',
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
    as: 'user',
    open: async (page) => {
      await click(page, /^Get Started with Engram - Pro/u);
      await page.getByRole('dialog', { name: 'Confirm Upgrade' }).waitFor();
    },
  },
  {
    name: 'a new API key',
    address: paths.api,
    as: 'user',
    isFresh: true,
    open: async (page) => {
      // Each visit creates its own.
      await page
        .getByRole('textbox', { name: 'Name of the new key' })
        .fill(`Key ${crypto.randomUUID()}`);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Your new API key' }).waitFor();
    },
  },
  {
    name: 'the revoking of an API key',
    address: paths.api,
    as: 'subscriber',
    open: async (page) => {
      await click(page, 'Revoke Nightly import');
      await page.getByRole('dialog', { name: 'Revoke API key' }).waitFor();
    },
  },
  { name: 'a question of the FAQs', address: `${paths.faq}#refunds`, as: 'user' },
  ...['admin', 'yourpreferences', 'billing', 'invoices', 'portfolio'].map((section): Scene => ({
    name: `the section ${section} of the profile`,
    address: `${paths.profile}#${section}`,
    as: 'user',
  })),
  ...['', '#billing', '#invoices'].map((section): Scene => ({
    name: `the profile${section} of somebody who pays`,
    address: paths.profile + section,
    as: 'subscriber',
  })),
  { name: 'the plans, one of them running', address: paths.pricing, as: 'subscriber' },
  {
    name: 'the cancellation of a plan',
    address: `${paths.profile}#billing`,
    as: 'subscriber',
    open: async (page) => {
      await click(page, 'Cancel Subscription');
      await page.getByRole('dialog', { name: 'Confirm Cancellation' }).waitFor();
    },
  },
  {
    name: 'the pick of a user',
    address: `${paths.profile}#admin`,
    as: 'user',
    open: async (page) => {
      await click(page, /^User/u);
      await page.getByRole('option', { name: 'new@example.org' }).waitFor();
    },
  },
  ...['Credit ledger', 'Audit log'].map((tab): Scene => ({
    name: `the ${tab} of all`,
    address: `${paths.profile}#admin`,
    as: 'user',
    open: async (page) => {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('tabpanel').getByRole('cell').first().waitFor();
    },
  })),
  {
    name: 'the photo of the profile',
    address: paths.profile,
    as: 'user',
    open: async (page) => {
      await click(page, 'Add a photo');
      await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
      await page.getByText('Please select an image to upload.').waitFor();
    },
  },
  {
    name: 'the deletion of all files',
    address: paths.profile,
    as: 'user',
    open: async (page) => {
      await click(page, 'Delete all files');
      await page.getByRole('dialog', { name: 'Confirm Delete' }).waitFor();
    },
  },
  {
    name: 'an import that is refused',
    address: paths.profile,
    as: 'user',
    open: async (page) => {
      const file = { name: 'no.zip', mimeType: 'application/zip', buffer: Buffer.from('No zip.') };
      await page.getByLabel('Export to be imported').setInputFiles(file);
      await page.getByText('The export was not imported.').waitFor();
    },
  },
  {
    name: 'the keywords of a file',
    address: paths.files,
    as: 'subscriber',
    open: async (page) => {
      await click(page, 'More keywords of tides.txt: 3');
      await click(page, 'Add a keyword to tides.txt');
      await page.getByRole('textbox', { name: 'Search or add a keyword' }).fill('Pier');
      await page.getByRole('listbox', { name: 'Keywords' }).getByRole('option').first().waitFor();
    },
  },
  {
    name: 'the preview of a picture',
    address: paths.files,
    as: 'subscriber',
    open: async (page) => {
      await click(page, 'Preview pier.png');
      await page.getByRole('dialog').getByRole('img', { name: 'pier.png' }).waitFor();
    },
  },
  {
    name: 'the deletion of several files',
    address: paths.files,
    as: 'subscriber',
    open: async (page) => {
      for (const name of ['tides.txt', 'pier.png'])
        await page.getByRole('checkbox', { name: `Select ${name}` }).check();
      await click(page, 'Delete');
      await page.getByRole('dialog', { name: 'Confirm Delete' }).waitFor();
    },
  },
  {
    name: 'the contents of the documentation',
    address: `${paths.documentation}#search-history`,
    as: 'user',
    open: async (page) => {
      const contentsButton = page.getByRole('button', { name: /^Contents:/u });
      if (!(await contentsButton.isVisible())) return;
      await contentsButton.click();
      await dialog(page);
    },
  },
  {
    name: 'a post that is not there',
    address: `${paths.blog}/nobody/nothing`,
    as: 'visitor',
    open: (page) => page.getByText('Post not found.').waitFor(),
  },
];

/** Addresses that only redirect signed-in users. */
const visitorAddresses = new Set<string>([
  paths.login,
  paths.home,
  paths.privacy,
  paths.terms,
  paths.contact,
  paths.features,
  paths.blog,
  paths.blogPost,
  paths.shareAgain,
  paths.sharedAnswer,
  paths.connectRefused,
]);

/** Every address of the app, with the dialogs of its pages. */
export const scenes: Scene[] = [
  ...Object.values(paths).map((address): Scene => ({
    name: address,
    address,
    as: visitorAddresses.has(address) ? 'visitor' : 'user',
  })),
  ...opened,
];

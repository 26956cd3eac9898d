import path from 'node:path';
import { getMetrics, search } from '@engram/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buyerOf, DAY, PRO, START } from '../../apps/server/src/tests/buyers.test-setup.ts';
import type { SignedInUser } from '../../apps/server/src/tests/app.test-setup.ts';
import { useTestApp } from '../../apps/server/src/tests/use-app.test-setup.ts';
import { openBrowser } from './engram.ts';
import {
  openSignedIn,
  recordHeadings,
  uploadAndWait,
  waitForPassingHeading,
} from './user.test-setup.ts';

const QUESTION = 'When does the lease end?';
const ANSWER = 'The lease ends in May.';
const FREE_QUESTIONS = 15;

describe.skipIf(!process.env['CHROMIUM_PATH'])(
  'a plan, from the first limit to the renewal',
  () => {
    // The browser has the real time, and the server a fixed one.
    const engram = useTestApp({
      startAt: START,
      webFolder: path.resolve(import.meta.dirname, '../../apps/web/dist'),
      env: { ENGRAM_LIMITS: 'enforce', ENGRAM_ADMIN_EMAILS: 'boss@example.org' },
    });
    const problems: string[] = [];
    let browser: Browser;
    let buyer: SignedInUser;
    let page: Page;

    /** Signs the buyer in, or in again if the session has ended. */
    async function reopenBilling(): Promise<void> {
      await page?.context().close();
      buyer = await engram.signIn('buyer@example.org');
      page = await openSignedIn(browser, buyer.token, problems, {
        viewport: { width: 1440, height: 900 },
        reducedMotion: 'reduce',
      });
      await recordHeadings(page);
    }

    beforeAll(async () => {
      browser = await openBrowser();
      await reopenBilling();
      const files = [{ name: 'lease.txt', content: new Blob([ANSWER]) }];
      await uploadAndWait(buyer.client, files);
    });
    afterAll(() => browser?.close());

    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    const waitForText = (words: string | RegExp): Promise<void> =>
      page.getByText(words).locator('visible=true').first().waitFor();
    const waitForHeading = (heading: string): Promise<void> =>
      page.getByRole('heading', { level: 1, name: heading }).waitFor();
    const plan = async (): Promise<string> => (await buyer.client.call(getMetrics, {})).data.plan;
    const input = () => page.getByRole('textbox', { name: 'Ask your AI Brain anything' });

    async function open(address: string): Promise<void> {
      await page.goto(engram.origin + address);
    }

    async function choose(tier: string): Promise<void> {
      await page.getByRole('tab', { name: 'Monthly' }).click();
      await button(`Get Started with Engram - ${tier}`).click();
    }

    async function pay(outcome: string): Promise<void> {
      await button(`Use the card that ${outcome}`).click();
      await page.getByLabel('Name on card').fill('Bo Buyer');
      await page.getByLabel('Billing address').fill('1 Long Lane, London');
      await button('Pay $5.00').click();
    }

    /** Pays, and returns to the billing through the result page. */
    async function subscribe(): Promise<void> {
      await pay('is paid');
      await waitForPassingHeading(page, 'Thanks for subscribing with us!');
      await page.waitForURL('**/profile#billing');
    }

    test('the last free question of a day is answered, and the next one is refused with the time', async () => {
      for (let count = 1; count < FREE_QUESTIONS; count += 1)
        await buyer.client.call(search, { body: { text: QUESTION, audio: false } });
      await open('/search');
      await waitForText('14 of 15 today');
      await input().fill(QUESTION);
      await page.keyboard.press('Enter');
      await page.getByRole('article', { name: 'Answer' }).getByText(ANSWER).first().waitFor();
      await waitForText('15 of 15 today');

      await input().fill('And which lease ends then?');
      await page.keyboard.press('Enter');
      const refusal = page.getByRole('alert').filter({ hasText: 'Your plan does not allow this' });
      await refusal
        .getByText(
          'You have used all 15 questions of your plan for today. You can ask again from Wednesday, March 11, 2026, 00:00 UTC.',
        )
        .waitFor();
      // The browser logs the refusal.
      expect(problems.splice(0).join()).toContain('402');
    });

    test('an admin adds a credit, and the same question is answered', async () => {
      const admin = await engram.signIn('boss@example.org');
      const adminPage = await openSignedIn(browser, admin.token, problems, {
        viewport: { width: 1440, height: 900 },
      });
      await adminPage.addInitScript(() => sessionStorage.setItem('is_admin', 'true'));
      await adminPage.goto(`${engram.origin}/profile#admin`);
      await adminPage.getByRole('button', { name: /^User/u }).click();
      await adminPage.getByRole('textbox', { name: 'Search a user by e-mail' }).fill('buyer');
      await adminPage.getByRole('option', { name: 'buyer@example.org' }).click();
      await adminPage.getByRole('textbox', { name: 'Credits' }).fill('1');
      await adminPage.getByRole('button', { name: 'Add', exact: true }).click();
      await adminPage.getByText('Updated successfully').waitFor();

      await input().press('Enter');
      await page
        .getByRole('heading', { level: 2, name: 'And which lease ends then?' })
        .first()
        .waitFor();
      await page.getByRole('alert').waitFor({ state: 'detached' });
      // The credit is used before the answer is complete.
      await page.locator('article[aria-busy=true]').waitFor({ state: 'detached' });
      await open('/profile#billing');
      const credits = page.getByRole('table', { name: /credits/u }).getByRole('row');
      await credits.nth(2).waitFor();
      const [, used, added] = await credits.allInnerTexts();
      expect(used).toMatch(/question[\s\S]*[-−]1\s+0$/iu);
      expect(added).toMatch(/\+1\s+1$/u);

      await adminPage.getByRole('tab', { name: 'Credit ledger' }).click();
      const ledger = adminPage.getByRole('table', { name: /credits/u }).getByRole('row');
      await ledger.filter({ hasText: 'buyer@example.org' }).nth(1).waitFor();
      await adminPage.getByRole('tab', { name: 'Audit log' }).click();
      await adminPage.getByRole('cell', { name: 'boss@example.org' }).first().waitFor();
      await adminPage.context().close();
      expect(problems).toEqual([]);
    });

    test('a declined card changes nothing, and a payment activates the plan immediately', async () => {
      await page.getByRole('link', { name: 'Change Plan' }).click();
      await choose('Pro');
      await pay('is declined');
      await page.getByText('This card was declined').waitFor();
      expect(await plan()).toBe('Starter(Free)');
      expect(await page.getByLabel('Name on card').inputValue()).toBe('Bo Buyer');
      await subscribe();
      expect(await plan()).toBe('Engram - Pro - monthly');
      await open('/pricing');
      await page.getByRole('tab', { name: 'Monthly' }).click();
      await page.getByRole('columnheader', { name: 'Engram - Pro Your plan' }).waitFor();
      expect(problems).toEqual([]);
    });

    test('billing shows the plan, and the invoice opens as a PDF', async () => {
      await open('/profile#billing');
      await page.getByRole('heading', { name: 'Engram - Pro', exact: true }).waitFor();
      const details = await page.getByRole('main').locator('dl').first().innerText();
      expect(details).toMatch(
        /Monthly\s+Amount\s+\$5\.00\s+Renews on\s+10 April 2026[\s\S]+1 Long Lane/u,
      );
      await page.getByRole('link', { name: 'Invoices' }).first().click();
      const row = page
        .getByRole('table', { name: /Invoices/u })
        .getByRole('row')
        .nth(1);
      expect(await row.innerText()).toMatch(/Engram - Pro\s+Monthly\s+10 March 2026\s+\$5\.00/u);
      for (const document of [/^PDF of invoice/u, /^Receipt of invoice/u]) {
        const link = row.getByRole('link', { name: document });
        // Opened without the session, as in a new tab.
        const href = (await link.getAttribute('href')) ?? '';
        const file = await fetch(new URL(href, engram.origin));
        expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
        expect((await file.text()).slice(0, 5)).toBe('%PDF-');
      }
      expect(problems).toEqual([]);
    });

    test('a running plan is not bought twice but changed, after a confirmation', async () => {
      await open('/pricing');
      await choose('Elite');
      const dialog = page.getByRole('dialog', { name: 'Confirm Upgrade' });
      await dialog.getByText('Please check the plan details before proceeding').waitFor();
      await dialog.getByText('$10.00 per month').waitFor();
      await dialog.getByText('Due today').waitFor();
      expect(await dialog.innerText()).toMatch(
        /Price today\s+\$(?:9\.99|10\.00)[\s\S]+Due today\s+\$5\.00/u,
      );
      await dialog.getByRole('button', { name: 'Upgrade' }).click();
      await page.waitForURL('**/home');
      expect(await plan()).toBe('Engram - Elite - monthly');
      expect(problems).toEqual([]);
    });

    test('a shorter plan begins at the end, which Billing shows, and can be undone', async () => {
      await open('/pricing?upgrade=true');
      await button('Get Started with Engram - Pro').click();
      const dialog = page.getByRole('dialog', { name: 'Confirm Change' });
      await dialog.getByText('10 April 2026').waitFor();
      await dialog.getByRole('button', { name: 'Change Plan' }).click();
      await page.waitForURL('**/home');
      expect(await plan()).toBe('Engram - Elite - monthly');
      await open('/profile#billing');
      await waitForText('Pro - weekly begins on 10 April 2026.');
      await button('Cancel the change').click();
      await waitForText('Your plan continues');
      await page.getByText('Pro - weekly begins on').waitFor({ state: 'detached' });
      expect(problems).toEqual([]);
    });

    test('a cancelled plan can be resumed until its end', async () => {
      await button('Cancel Subscription').click();
      const dialog = page.getByRole('dialog', { name: 'Confirm Cancellation' });
      await dialog.getByRole('button', { name: 'Cancel Subscription' }).click();
      await button('Resume').click();
      await page.getByText('Renews on').waitFor();
      expect(problems).toEqual([]);
    });

    test('a cancelled plan runs to its end and is then the free one', async () => {
      await open('/profile#billing');
      await button('Cancel Subscription').click();
      const dialog = page.getByRole('dialog', { name: 'Confirm Cancellation' });
      await dialog.getByText('You keep access to Engram - Elite until 10 April 2026.').waitFor();
      await dialog.getByRole('button', { name: 'Cancel Subscription' }).click();
      await waitForText('Cancelled successfully');
      await waitForText(/You keep access until 10 April 2026/u);
      await page.getByRole('link', { name: 'Change Plan' }).waitFor();
      expect(await plan()).toBe('Engram - Elite - monthly');

      engram.advance(32 * DAY);
      await reopenBilling();
      await open('/profile#billing');
      await page.getByRole('heading', { name: 'Starter(Free)', exact: true }).waitFor();
      await waitForText('0 of 15 today');
      expect(problems).toEqual([]);
    });

    test('an expired plan blocks questions and uploads, and nothing else', async () => {
      const { begin: startCheckout, pay: payCheckout } = buyerOf(buyer);
      const card = { cardNumber: '4242424242424242', name: 'Bo Buyer', billingAddress: '1 Lane' };
      expect((await payCheckout(await startCheckout(PRO), card)).status).toBe(200);
      engram.advance(32 * DAY);
      await reopenBilling();
      await open('/profile#billing');
      await waitForText('Plan is Expired. Please upgrade to continue');
      await page.getByRole('link', { name: 'Search', exact: true }).first().click();
      await waitForText('Please renew to continue accessing the services.');
      const plans = page.getByRole('alert').getByRole('link', { name: 'See the plans' });
      expect(await plans.getAttribute('href')).toBe('/pricing');
      await input().fill(QUESTION);
      expect(await button('Search').isDisabled()).toBe(true);
      await button('Upload').first().click();
      const panel = page.getByRole('dialog');
      await panel.getByText('Please renew to continue accessing the services.').waitFor();
      await page.keyboard.press('Escape');

      await page.getByRole('link', { name: 'History', exact: true }).first().click();
      await page.locator('[data-question]').first().click();
      await page.getByRole('article', { name: 'Answer' }).getByText(ANSWER).first().waitFor();
      await page
        .getByRole('link', { name: /^Files/u })
        .first()
        .click();
      await button('lease.txt').click();
      await page.getByText(ANSWER).first().waitFor();
      await page.keyboard.press('Escape');
      await button('Options for lease.txt').click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog', { name: 'Confirm Delete' });
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await waitForText('No files yet');
      expect(problems).toEqual([]);
    });

    test('a renewed plan allows everything again', async () => {
      await open('/profile#billing');
      await page.getByRole('link', { name: 'Change Plan' }).click();
      await choose('Pro');
      await subscribe();
      await open('/search');
      await waitForText('0 of 25 today');
      await button('Upload').first().click();
      const panel = page.getByRole('dialog');
      const file = { name: 'lease.txt', mimeType: 'text/plain', buffer: Buffer.from(ANSWER) };
      await panel.locator('input[type=file]').setInputFiles(file);
      await panel.getByRole('button', { name: 'UPLOAD', exact: true }).click();
      await page.waitForURL('**/allfiles');
      await button('lease.txt').waitFor();
      await engram.settled();
      await page.getByRole('link', { name: 'Search', exact: true }).first().click();
      await input().fill(QUESTION);
      await page.keyboard.press('Enter');
      await page.getByRole('article', { name: 'Answer' }).getByText(ANSWER).first().waitFor();
      await waitForText('1 of 25 today');
      expect(problems).toEqual([]);
    });

    test('a payment result that cannot be verified is reported, and the page stays', async () => {
      await open('/message');
      await waitForHeading('Unable to verify payment status. Please contact support.');
      expect(problems).toEqual([]);
    });
  },
);

import { createClient, type Client } from '@engram/client';
import { getMetrics, listInvoices, updateProfile } from '@engram/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Engram, openBrowser, signIn, startEngram } from './engram.ts';
import { collectProblems } from './person.test-setup.ts';

describe.skipIf(!process.env['CHROMIUM_PATH'])('a plan bought in the sandbox', () => {
  let engram: Engram;
  let browser: Browser;
  let page: Page;
  let client: Client;
  const problems: string[] = [];

  beforeAll(async () => {
    engram = await startEngram({ ENGRAM_LLM: 'none' });
    const token = await signIn(engram, 'buyer@example.org');
    client = createClient({ baseUrl: `${engram.url}/v1`, token: () => token });
    await client.call(updateProfile, { body: { isAgreedTerms: true } });
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addInitScript((value) => sessionStorage.setItem('authToken', value), token);
    page = await context.newPage();
    // The browser itself notes a refusal, which one of the steps is about.
    collectProblems(page, problems, (message) => !message.text().includes('409'));
  });
  afterAll(async () => {
    await browser?.close();
    await engram?.close();
  });

  const plan = async (): Promise<string> => (await client.call(getMetrics, {})).data.plan;
  const button = (name: string) => page.getByRole('button', { name, exact: true });

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

  const sees = (heading: string): Promise<void> =>
    page.getByRole('heading', { level: 1, name: heading }).waitFor();

  test('a declined card changes nothing, and the home page follows', async () => {
    await page.goto(`${engram.url}/pricing`);
    await choose('Pro');
    await pay('is declined');
    await sees('Payment failed. Please try again.');
    await page.waitForURL('**/home');
    expect(await plan()).toBe('Starter(Free)');
  });

  test('a card that is paid changes the plan, everywhere at once', async () => {
    await page.getByRole('link', { name: 'Pricing' }).first().click();
    await choose('Pro');
    await pay('is paid');
    await sees('Thanks for subscribing with us!');
    await page.waitForURL('**/home');
    expect(await plan()).toBe('Engram - Pro - monthly');
    const { data: invoices } = await client.call(listInvoices, {});
    expect(invoices.map(({ plan, amount }) => [plan, amount])).toEqual([
      ['Engram - Pro - monthly', 5],
    ]);
    await page.getByRole('link', { name: 'Pricing' }).first().click();
    await page.getByRole('tab', { name: 'Monthly' }).click();
    await page.getByRole('columnheader', { name: 'Engram - Pro Your plan' }).waitFor();
  });

  test('a running plan is not bought twice but changed, after a look at it', async () => {
    await choose('Elite');
    await page.getByRole('link', { name: 'Change the running plan instead' }).click();
    await page.waitForURL('**/pricing?upgrade=true');
    await button('Get Started with Engram - Elite').click();
    const dialog = page.getByRole('dialog', { name: 'Confirm Upgrade' });
    await dialog.getByText('$10.00 per month').waitFor();
    await dialog.getByRole('button', { name: 'Upgrade' }).click();
    await page.waitForURL('**/home');
    expect(await plan()).toBe('Engram - Elite - monthly');
  });

  test('a result that cannot be verified says so, and stays', async () => {
    await page.goto(`${engram.url}/message`);
    await sees('Unable to verify payment status. Please contact support.');
    expect(problems).toEqual([]);
  });
});

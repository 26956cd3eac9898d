import {
  appSettings,
  cancelSubscription,
  getBilling,
  getMetrics,
  listInvoices,
  listLedger,
  resumeSubscription,
  type BillingRecord,
  type Invoice,
  type LedgerEntry,
} from '@engram/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { someMetrics, someSettings } from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import {
  aBillingRecord,
  openSection,
  startAccount,
  type Account,
} from './profile-page.test-setup.ts';

let server: FakeServer;
let account: Account;
beforeEach(() => {
  ({ server, account } = startAccount());
});

const PRO = { productName: 'Engram - Pro - monthly', billingCycle: 'monthly', amount: 5 } as const;
const pro = (over: Partial<BillingRecord> = {}) =>
  aBillingRecord({ ...PRO, renewsOn: '2026-12-20T20:00:00Z', ...over });
const openBilling = async () => {
  const opened = await openSection('billing', 'Billing');
  await screen.findByRole('heading', { name: 'Usage and limits' });
  return opened;
};
const fact = (label: string) => screen.getByText(label).nextElementSibling?.textContent;

describe('a plan', () => {
  test('that is paid shows what it costs and when it renews, and can be upgraded or cancelled', async () => {
    account.billing = pro({ billingAddress: 'Ann Becker, 12 Long Street, Berlin' });
    await openBilling();
    expect(screen.getByRole('heading', { name: 'Engram - Pro' })).toBeTruthy();
    expect(screen.getByText('Active')).toBeTruthy();
    expect(fact('Billing cycle')).toBe('Monthly');
    expect(fact('Amount')).toBe('$5.00');
    expect(fact('Renews on')).toBe('20 December 2026');
    expect(fact('Billing address')).toBe('Ann Becker, 12 Long Street, Berlin');
    const upgrade = screen.getByRole('link', { name: 'Upgrade Plan' });
    expect(upgrade.getAttribute('href')).toBe('/pricing?upgrade=true');
    expect(screen.getByRole('button', { name: 'Cancel Subscription' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Change Plan' })).toBeNull();
  });

  test.each([
    ['Starter(Free)', aBillingRecord()],
    ['a cancelled one', pro({ status: 'CANCELLED' })],
    ['an expired one', pro({ status: 'EXPIRED' })],
  ])('%s can be changed, and neither upgraded nor cancelled', async (_, record) => {
    account.billing = record;
    await openBilling();
    const change = screen.getByRole('link', { name: 'Change Plan' });
    expect(change.getAttribute('href')).toBe('/pricing');
    expect(screen.queryByRole('link', { name: 'Upgrade Plan' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Cancel Subscription' })).toBeNull();
  });

  test('that is cancelled shows its end, and the deletion of files only if there is one', async () => {
    account.billing = pro({ status: 'CANCELLED' });
    await openBilling();
    expect(screen.getByText(/You keep access until 20 December 2026/u)).toBeTruthy();
    expect(screen.getByText(/none of your files will be deleted/u)).toBeTruthy();
    expect(fact('Access until')).toBe('20 December 2026');
    expect(screen.queryByText(/automatically deleted/u)).toBeNull();
  });

  test('whose files will be deleted shows the day', async () => {
    account.billing = pro({ status: 'CANCELLED', filesDeletedOn: '2026-12-27T20:00:00Z' });
    await openBilling();
    expect(
      screen.getByText('Files will be automatically deleted on 27 December 2026.'),
    ).toBeTruthy();
    expect(screen.queryByText(/none of your files will be deleted/u)).toBeNull();
  });

  test('that is expired is shown as such, on the profile too', async () => {
    account.billing = pro({ status: 'EXPIRED' });
    account.metrics = someMetrics({ plan: PRO.productName, status: 'Expired' });
    const { user } = await openBilling();
    const text = 'Plan is Expired. Please upgrade to continue';
    expect(screen.getByText(text)).toBeTruthy();
    expect(fact('Ended on')).toBe('20 December 2026');
    const sections = screen.getByRole('navigation', { name: 'Profile sections' });
    await user.click(within(sections).getByRole('link', { name: 'My Profile' }));
    await screen.findByRole('heading', { level: 2, name: 'My Profile' });
    expect(await screen.findByText(text)).toBeTruthy();
  });

  test('with a scheduled successor shows its start, and can be kept until then', async () => {
    const next = { productName: 'Engram - Pro - weekly', billingCycle: 'weekly', amount: 1.5 };
    account.billing = pro({ next: { ...next, billingCycle: 'weekly' }, balance: 3.5 });
    server.on(resumeSubscription, () => {
      account.billing = pro();
      return null;
    });
    const { user } = await openBilling();
    expect(screen.getByText('Pro - weekly begins on 20 December 2026.')).toBeTruthy();
    expect(
      screen.getByText(
        /\$0\.00 is due on that day\. If you cancel the change, Engram - Pro continues/u,
      ),
    ).toBeTruthy();
    expect(fact('Ends on')).toBe('20 December 2026');
    expect(fact('Balance')).toBe('$3.50, credited to your next payment');
    await user.click(screen.getByRole('button', { name: 'Cancel the change' }));
    expect(await screen.findByText('Your plan continues')).toBeTruthy();
    expect(server.callsOf(resumeSubscription)[0]?.body).toEqual({ email: account.profile.email });
    await waitFor(() => expect(screen.queryByText(/Pro - weekly begins/u)).toBeNull());
    expect(fact('Renews on')).toBe('20 December 2026');
  });

  test('that is cancelled can be resumed, and a failure is shown and changes nothing', async () => {
    account.billing = pro({ status: 'CANCELLED' });
    server.on(resumeSubscription, () => new Refusal(503, 'The payment provider is down.'));
    const { user } = await openBilling();
    const resume = screen.getByRole('button', { name: 'Resume' });
    expect(resume.parentElement?.textContent).toContain('You keep access until 20 December 2026');
    await user.click(resume);
    expect(await screen.findByText('Your plan was not changed')).toBeTruthy();
    expect(screen.getByText('Your subscription is cancelled.')).toBeTruthy();
    server.on(resumeSubscription, () => {
      account.billing = pro();
      return null;
    });
    await user.click(resume);
    await waitFor(() => expect(screen.queryByText('Your subscription is cancelled.')).toBeNull());
    expect(screen.getByRole('button', { name: 'Cancel Subscription' })).toBeTruthy();
  });

  test('from the sandbox that no longer counts is shown as such', async () => {
    account.billing = aBillingRecord({ sandboxPlan: 'Engram - Elite - yearly' });
    await openBilling();
    expect(screen.getByText('Elite - yearly is not valid here.')).toBeTruthy();
    expect(screen.getByText(/where no money moves/u)).toBeTruthy();
  });

  test('is not offered if plans are not sold', async () => {
    server.on(appSettings, () => someSettings({ payments: { provider: 'off' } }));
    account.billing = pro({ status: 'CANCELLED' });
    await openBilling();
    expect(await screen.findByText(/^Plans are not sold on this server/u)).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Change Plan' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull();
  });

  test('that cannot be loaded can be retried', async () => {
    server.on(getBilling, () => new Refusal(503, 'The database is busy.'));
    const { user } = await openSection('billing', 'Billing');
    expect(await screen.findByText('Your billing could not be loaded')).toBeTruthy();
    server.on(getBilling, () => [account.billing]);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Usage and limits' })).toBeTruthy();
  });
});

describe('a cancellation', () => {
  const ask = async () => {
    account.billing = pro();
    const { user } = await openBilling();
    await user.click(screen.getByRole('button', { name: 'Cancel Subscription' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm Cancellation' }));
    expect(dialog.getByText(/until 20 December 2026.*reverts to Starter\(Free\)/u)).toBeTruthy();
    return { user, dialog, yes: dialog.getByRole('button', { name: 'Cancel Subscription' }) };
  };

  test('asks for confirmation with the end date, and then shows the cancelled plan', async () => {
    server.on(cancelSubscription, () => {
      account.billing = pro({ status: 'CANCELLED' });
      return null;
    });
    const { user, yes } = await ask();
    await user.click(yes);
    expect(await screen.findByText('Cancelled successfully')).toBeTruthy();
    expect(server.callsOf(cancelSubscription)[0]?.body).toEqual({
      email: 'ann.becker@example.com',
    });
    expect(await screen.findByText('Your subscription is cancelled.')).toBeTruthy();
  });

  test('that fails shows an error, and changes nothing', async () => {
    server.on(cancelSubscription, () => new Refusal(503, 'The payment provider is down.'));
    const { user, dialog, yes } = await ask();
    await user.click(yes);
    const alert = (await dialog.findByRole('alert')).textContent;
    expect(alert).toContain('Error Cancelling Subscription');
    expect(alert).toContain('The payment provider is down.');
    await user.click(dialog.getByRole('button', { name: 'Keep Subscription' }));
    expect(screen.getByText('Active')).toBeTruthy();
  });
});

describe('use and limits', () => {
  const meter = (label: string) =>
    screen.getByText(label).closest('li')?.textContent?.replace(label, '').trim();

  test('of the free plan show no monthly limit, the weekly storage limit, and that limits are not enforced', async () => {
    account.metrics = someMetrics({ weekly_file_size: 0.0034, credit: 1 });
    await openBilling();
    expect(meter('Questions today')).toBe('4 of 15');
    expect(meter('Questions this week')).toBe('4 of 105');
    // Without a limit the usage has no progress bar.
    expect(meter('Questions this month')).toBe('4');
    expect(screen.getAllByRole('progressbar')).toHaveLength(3);
    expect(meter('Storage')).toBe('3.4 MB of 10 GB');
    expect(screen.getByText(/does not enforce the limits/u)).toBeTruthy();
    expect(screen.getByText('1 credit')).toBeTruthy();
  });

  test('of a paid plan show the yearly storage limit, and that limits are enforced', async () => {
    account.metrics = someMetrics({
      plan: PRO.productName,
      enforced: true,
      monthly_query_limit: 700,
      weekly_file_size_limit: 0,
      yearly_file_size: 11.234,
      yearly_file_size_limit: 25,
    });
    await openBilling();
    expect(meter('Questions this month')).toBe('4 of 700');
    expect(meter('Storage')).toBe('11.23 GB of 25 GB');
    expect(screen.getByText(/This server enforces these limits/u)).toBeTruthy();
  });

  test.each([
    [false, 'var(--eg-accent)'],
    [true, 'var(--eg-danger)'],
  ])('with enforcement %s show a used-up limit as %s', async (enforced, color) => {
    account.metrics = someMetrics({ enforced, daily_queries_used: 35 });
    await openBilling();
    expect(meter('Questions today')).toBe('35 of 15');
    const bar = screen.getByRole('progressbar', { name: 'Questions today: 35 of 15' });
    expect(bar.style.getPropertyValue('--progress-section-color')).toBe(color);
  });

  test.each([
    [{ provider: 'sandbox' }, /sandbox with test cards, and no money moves/u],
    [{ provider: 'stripe', publishableKey: 'pk' }, /through Stripe/u],
  ] as const)('the text about payments for %o names the provider', async (payments, text) => {
    server.on(appSettings, () => someSettings({ payments }));
    await openBilling();
    expect(await screen.findByText(text)).toBeTruthy();
  });
});

test('every change of credits is listed, page by page', async () => {
  const entry = (n: number, over: Partial<LedgerEntry>): LedgerEntry => ({
    id: crypto.randomUUID(),
    userId: account.profile.id,
    change: -1,
    balance: n,
    reason: 'Used for a question',
    createdDate: '2026-11-03T17:05:00Z',
    ...over,
  });
  const added = { change: 1000, balance: 1000, reason: 'Added by an admin' } as const;
  server.on(
    listLedger,
    ({ query }) => [query.get('cursor') ? entry(0, added) : entry(999, {})],
    ({ query }) => ({ total: 2, nextCursor: query.get('cursor') ? null : 'next' }),
  );
  const { user } = await openBilling();
  expect(await screen.findByText('1 of 2 changes of credits')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('2 changes of credits')).toBeTruthy();
  const rows = screen.getAllByRole('row').map((row) => row.textContent);
  expect(rows.slice(1)).toEqual([
    'Used for a questionNov 3, 2026 05:05 PM−1999',
    'Added by an adminNov 3, 2026 05:05 PM+1,0001,000',
  ]);
});

describe('invoices', () => {
  const invoice = (over: Partial<Invoice> = {}): Invoice => ({
    invoiceNo: 'EG-7',
    plan: 'Engram - Pro - monthly',
    paymentDate: '2026-11-20T20:00:00Z',
    amount: 5,
    invoicePdf: '/v1/payments/documents/first',
    receiptUrl: null,
    ...over,
  });
  afterEach(() => void vi.useRealTimers());

  test('are listed with plan, frequency, date, amount and documents', async () => {
    server.on(listInvoices, () => [invoice(), invoice({ invoiceNo: 'EG-6', receiptUrl: '/r' })]);
    await openSection('invoices', 'Invoices');
    const [, first, second] = await screen.findAllByRole('row');
    expect([...first!.children].map((cell) => cell.textContent)).toEqual([
      'EG-7',
      'Engram - Pro',
      'Monthly',
      '20 November 2026',
      '$5.00',
      'PDF',
    ]);
    expect(within(second!).getByRole('link', { name: 'Receipt of invoice EG-6' })).toBeTruthy();
    expect(server.callsOf(listInvoices)[0]?.query.get('email')).toBe(account.profile.email);
  });

  test('have links that are signed again before they open if they may have expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T20:00:00Z') });
    server.on(listInvoices, () => [invoice()]);
    const { user } = await openSection('invoices', 'Invoices');
    const link = await screen.findByRole('link', { name: 'PDF of invoice EG-7' });
    server.on(listInvoices, () => [invoice({ invoicePdf: '/v1/payments/documents/second' })]);
    const replace = vi.fn<(url: string) => void>();
    const tab = { opener: window, location: { replace }, close: () => undefined };
    const open = vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
    vi.setSystemTime(new Date('2026-11-20T20:11:00Z'));
    await user.click(link);
    await waitFor(() => expect(replace).toHaveBeenCalledWith('/v1/payments/documents/second'));
    expect(open).toHaveBeenCalledTimes(1);
    expect(tab.opener).toBeNull();
    expect(link.getAttribute('href')).toBe('/v1/payments/documents/second');
  });

  test('are replaced by a link to the plans if none exist, and a failure is shown', async () => {
    server.on(listInvoices, () => new Refusal(503, 'The payment provider is down.'));
    const { user } = await openSection('invoices', 'Invoices');
    expect(await screen.findByText('Your invoices could not be loaded')).toBeTruthy();
    server.on(listInvoices, () => []);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No invoices yet')).toBeTruthy();
    const plans = screen.getByRole('link', { name: 'See the plans' });
    expect(plans.getAttribute('href')).toBe('/pricing');
  });
});

test.each([
  ['allows', getMetrics],
  ['costs', getBilling],
])('if the plan %s cannot be loaded, the profile is usable and retries', async (_, route) => {
  server.on(route, () => new Refusal(503, 'The database is busy.'));
  const { user } = await openSection('myprofile', 'My Profile');
  const text = 'Your plan could not be loaded. The database is busy.';
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Save changes' })).toBeTruthy();
  server.on(getMetrics, () => account.metrics).on(getBilling, () => [account.billing]);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: 'Change Plan' })).toBeTruthy();
});

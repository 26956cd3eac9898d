import {
  appSettings,
  createSubscription,
  getBilling,
  getMetrics,
  getSandboxCheckout,
  listPlans,
  paySandboxCheckout,
  previewPlan,
  updatePlan,
} from '@engram/contract';
import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { aBillingRecord } from './profile-page.test-setup.ts';
import { someMetrics, someSettings } from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';
import { aPlanChange, setWide, somePlans, startServerWithPlans } from './pricing.test-setup.ts';

let server: FakeServer;

beforeEach(() => {
  notifications.clean();
  server = startServerWithPlans();
  setWide(true);
});

/** The texts of the table's cells. */
async function table(): Promise<(string | null)[][]> {
  const rows = within(await screen.findByRole('table')).getAllByRole('row');
  return rows.map((row) => [...row.children].map((cell) => cell.textContent));
}

const columns = async () => (await table())[0]?.slice(1);
const tab = (name: RegExp) => screen.findByRole('tab', { name });

test('shows the plans of a period: Pro, Elite, the others, and Ultimate by contact', async () => {
  const { user, router } = renderApp('/pricing');
  expect((await screen.findAllByRole('tab')).map((tab) => tab.textContent)).toEqual([
    'Weekly ',
    'Monthly ',
    'Quarterly 10% OFF',
    'Yearly 20% OFF',
  ]);
  expect((await tab(/Weekly/u)).getAttribute('aria-selected')).toBe('true');
  expect(await columns()).toEqual([
    'Engram - Pro $1.50 per week',
    'Engram - Elite $3.00 per week',
    expect.stringMatching(/^Starter\(Free\) Your plan \$0\.00/u),
    'Ultimate On request tailored to you',
  ]);
  await user.click(await tab(/Monthly/u));
  expect(await table()).toEqual([
    [
      'Limit',
      'Engram - Pro $5.00 per month',
      'Engram - Elite $10.00 per month',
      expect.stringMatching(/^Starter\(Free\)/u),
      'Engram - Team $7.00 per month',
      'Ultimate On request tailored to you',
    ],
    ['Daily query limit', '25', '100', '15', '50', 'As agreed'],
    ['Weekly query limit', '175', '700', '105', '350', 'As agreed'],
    ['Monthly query limit', '700', '3,000', 'N/A', 'N/A', 'As agreed'],
    ['File size limit', '25 GB', '100 GB', '10 GB', 'N/A', 'As agreed'],
    ['Get this plan', 'Get Started', 'Get Started', '', 'Get Started', 'Contact Us'],
  ]);
  await user.click(screen.getByRole('link', { name: 'Contact Us' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/contact'));
});

test('the plans are an accordion on small screens', async () => {
  setWide(false);
  const { user } = renderApp('/pricing');
  const elite = await screen.findByRole('button', { name: /^Engram - Elite \$3\.00 per week/u });
  expect(screen.queryByRole('table')).toBeNull();
  await user.click(elite);
  const start = await screen.findByRole('button', { name: 'Get Started with Engram - Elite' });
  const monthly = within(start.parentElement!).getByText('Monthly query limit');
  expect(monthly.nextSibling?.textContent).toBe('3,000');
  await user.click(start);
  await waitFor(() =>
    expect(server.callsOf(createSubscription)[0]?.body).toMatchObject({
      priceId: 'price Elite weekly',
    }),
  );
});

test('the current plan of the user is marked, and cannot be bought twice', async () => {
  server.on(getMetrics, () => someMetrics({ plan: 'Engram - Pro - weekly', enforced: true }));
  renderApp('/pricing');
  expect((await columns())?.[0]).toBe('Engram - Pro Your plan $1.50 per week');
  const buttons = screen.getAllByRole('button', { name: /^Get Started/u });
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
    'Get Started with Engram - Elite',
  ]);
  expect(screen.queryByText(/not enforced/u)).toBeNull();
  expect(screen.getByText(/^Limits are enforced on this server/u)).toBeTruthy();
});

test('an expired plan can be bought again', async () => {
  server.on(getMetrics, () => someMetrics({ plan: 'Engram - Pro - weekly', status: 'Expired' }));
  renderApp('/pricing');
  expect((await columns())?.[0]).toBe('Engram - Pro Your plan, expired $1.50 per week');
  expect(screen.getByRole('button', { name: 'Get Started with Engram - Pro' })).toBeTruthy();
  expect(screen.getByText(/^Limits are not enforced on this server/u)).toBeTruthy();
});

test('if the plans cannot be loaded, fixed prices are shown without a sale, and loading is retried', async () => {
  server.on(listPlans, () => new Refusal(503, 'The database is busy.'));
  const { user } = renderApp('/pricing');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The plans could not be loaded. The database is busy.');
  expect(await columns()).toEqual([
    'Engram - Pro $5.00 per month',
    'Engram - Elite $10.00 per month',
    expect.stringContaining('$0.00'),
    expect.any(String),
  ]);
  expect((await table()).slice(2, 5)).toEqual([
    ['Weekly query limit', '175', '700', '105', 'As agreed'],
    ['Monthly query limit', '700', '3,000', 'N/A', 'As agreed'],
    ['File size limit', '25 GB', '100 GB', '10 GB', 'As agreed'],
  ]);
  for (const button of screen.getAllByRole('button', { name: /^Get Started/u })) {
    expect(button).toHaveProperty('disabled', true);
  }
  server.on(listPlans, somePlans);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(async () => expect((await columns())?.[0]).toContain('$1.50'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the loader covers the screen until the plans are loaded', async () => {
  const response = Promise.withResolvers<void>();
  server.on(listPlans, async () => {
    await response.promise;
    return somePlans();
  });
  renderApp('/pricing');
  expect(await screen.findByRole('status', { name: 'Loading the plans' })).toBeTruthy();
  response.resolve();
  await screen.findByRole('table');
  expect(screen.queryByRole('status', { name: 'Loading the plans' })).toBeNull();
});

const getStarted = (tier: string) =>
  screen.findByRole('button', { name: `Get Started with Engram - ${tier}` });

test('Get Started replaces the plans with the sandbox’s checkout, which a test card pays', async () => {
  const { user, router } = renderApp('/pricing');
  await user.click(await getStarted('Pro'));
  const button = await screen.findByRole('button', { name: 'Pay $5.00' });
  expect(server.callsOf(createSubscription)[0]?.body).toEqual({
    email: 'ann.becker@example.com',
    priceId: 'price Pro weekly',
  });
  expect(screen.queryByRole('table')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Checkout' }));
  expect(screen.getByText(/^No money moves here/u)).toBeTruthy();
  expect(screen.getByText('4242 4242 4242 4242')).toBeTruthy();
  expect(screen.getByText('4000 0000 0000 0002')).toBeTruthy();

  await user.click(button);
  expect(server.callsOf(paySandboxCheckout)).toHaveLength(0);
  expect(document.activeElement).toBe(screen.getByLabelText('Card number'));
  expect(screen.getByText('Enter the whole number.')).toBeTruthy();

  await user.click(screen.getByRole('button', { name: 'Use the card that is paid' }));
  await user.type(screen.getByLabelText('Name on card'), 'Ann Becker');
  await user.type(screen.getByLabelText('Billing address'), '1 Long Lane');
  await user.click(button);
  await waitFor(() => expect(router.state.location.pathname).toBe('/message'));
  expect(router.state.location.search).toBe('?session_id=session-1');
  const [payment] = server.callsOf(paySandboxCheckout);
  expect(payment?.params).toEqual({ clientSecret: 'sandbox-secret' });
  expect(payment?.body).toEqual({
    cardNumber: '4242 4242 4242 4242',
    expiry: expect.stringMatching(/^12\/\d{2}$/u),
    cvc: '123',
    name: 'Ann Becker',
    billingAddress: '1 Long Lane',
  });
});

test('a declined card is reported at its field, and the input stays', async () => {
  server.on(paySandboxCheckout, () => ({
    sessionId: 'session-1',
    paymentStatus: 'unpaid' as const,
  }));
  const { user, router } = renderApp('/pricing');
  await user.click(await getStarted('Pro'));
  await user.click(await screen.findByRole('button', { name: 'Use the card that is declined' }));
  await user.type(screen.getByLabelText('Name on card'), 'Ann Becker');
  await user.type(screen.getByLabelText('Billing address'), '1 Long Lane{Enter}');
  const number = screen.getByLabelText('Card number');
  await waitFor(() => expect(number.getAttribute('aria-invalid')).toBe('true'));
  screen.getByText('This card was declined, and nothing was paid. Use another card.');
  expect(document.activeElement).toBe(number);
  expect(screen.getByLabelText('Billing address')).toHaveProperty('value', '1 Long Lane');
  expect(router.state.location.pathname).toBe('/pricing');
});

test('a card number is formatted while it is typed, and a past date is refused', async () => {
  const { user } = renderApp('/pricing');
  await user.click(await getStarted('Pro'));
  const number = await screen.findByLabelText('Card number');
  await user.type(number, '4000x0000 00000002');
  expect(number).toHaveProperty('value', '4000 0000 0000 0002');
  await user.type(screen.getByLabelText('Expiry'), '924');
  expect(screen.getByLabelText('Expiry')).toHaveProperty('value', '09/24');
  await user.type(screen.getByLabelText('CVC'), '12a34');
  expect(screen.getByLabelText('CVC')).toHaveProperty('value', '1234');
  await user.click(screen.getByRole('button', { name: /^Pay/u }));
  expect(screen.getByText('This date has passed.')).toBeTruthy();
  expect(server.callsOf(paySandboxCheckout)).toHaveLength(0);
});

test('Back closes a checkout, and its failures are shown', async () => {
  server.on(getSandboxCheckout, () => new Refusal(404, 'No such checkout.'));
  const { user } = renderApp('/pricing');
  await user.click(await tab(/Monthly/u));
  await user.click(await getStarted('Pro'));
  expect(await screen.findByText('No such checkout.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Back' }));
  expect((await columns())?.[0]).toContain('per month');
});

test('a second plan is not bought, and a link to change the current one is shown', async () => {
  server.on(createSubscription, () => new Refusal(409, 'A paid plan is running already.'));
  const { user, router } = renderApp('/pricing');
  await user.click(await getStarted('Pro'));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain(
    'The checkout could not be opened. A paid plan is running already.',
  );
  await user.click(within(alert).getByRole('link', { name: 'Change your plan instead' }));
  expect(router.state.location.search).toBe('?upgrade=true');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('a provider that is down is reported, and the plans stay', async () => {
  server.on(createSubscription, () => new Refusal(503, 'The payment provider cannot be reached.'));
  const { user } = renderApp('/pricing');
  await user.click(await getStarted('Pro'));
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The checkout could not be opened. The payment provider cannot be reached. Try again in a few minutes.',
  );
  expect(screen.getByRole('table')).toBeTruthy();
});

test('a missing client secret is reported', async () => {
  server.on(createSubscription, () => ({ clientSecret: '' }));
  const { user } = renderApp('/pricing');
  await user.click(await getStarted('Pro'));
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to fetch client secret');
});

test('upgrade=true asks for confirmation, changes the plan, clears the cached one and opens the home page', async () => {
  server.on(getMetrics, () => someMetrics({ plan: 'Engram - Pro - weekly' }));
  const { user, router } = renderApp('/pricing?upgrade=true');
  await user.click(await getStarted('Elite'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm Upgrade' }));
  expect(
    dialog.getByText('Please check the plan details before proceeding with the upgrade.'),
  ).toBeTruthy();
  expect(dialog.getByText('$3.00 per week')).toBeTruthy();
  const line = (label: string) => dialog.getByText(label).nextElementSibling?.textContent;
  expect(line('Price today')).toBe('$3.00');
  expect(line('Credit for your current plan')).toBe('−$1.14');
  expect(line('Due today')).toBe('$1.86');
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.callsOf(updatePlan)).toHaveLength(0);

  await user.click(await getStarted('Elite'));
  const requestCount = server.callsOf(getMetrics).length;
  await user.click(await screen.findByRole('button', { name: 'Upgrade' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/home'));
  expect(server.callsOf(updatePlan).map(({ body }) => body)).toEqual([
    {
      email: 'ann.becker@example.com',
      priceId: 'price Elite weekly',
      asOf: aPlanChange().asOf,
    },
  ]);
  expect(server.callsOf(createSubscription)).toHaveLength(0);
  expect(server.callsOf(getMetrics).length).toBeGreaterThan(requestCount);
});

test('a plan that begins later is not called an upgrade, and shows its start', async () => {
  server.on(getMetrics, () => someMetrics({ plan: 'Engram - Elite - weekly' }));
  const later = { kind: 'later', beginsOn: '2026-12-20T20:00:00Z', price: 0, credited: 0 } as const;
  server.on(previewPlan, () => aPlanChange({ ...later, dueToday: 0 }));
  // Users with a renewing plan are shown the change on every page.
  const { user, router } = renderApp('/pricing');
  await user.click(await getStarted('Pro'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm Change' }));
  expect(dialog.getByText('Begins on').nextElementSibling?.textContent).toBe('20 December 2026');
  expect(dialog.getByText('Due today').nextElementSibling?.textContent).toBe('$0.00');
  expect(screen.getByRole('dialog').textContent).not.toMatch(/upgrade/iu);
  await user.click(dialog.getByRole('button', { name: 'Change Plan' }));
  expect(await screen.findByText('Engram - Pro begins on 20 December 2026.')).toBeTruthy();
  await waitFor(() => expect(router.state.location.pathname).toBe('/home'));
  expect(server.callsOf(createSubscription)).toHaveLength(0);
});

test('the scheduled plan and the tab of the current one are marked', async () => {
  server.on(getMetrics, () => someMetrics({ plan: 'Engram - Pro - monthly' }));
  const next = {
    productName: 'Engram - Pro - weekly',
    billingCycle: 'weekly',
    amount: 1.5,
  } as const;
  server.on(getBilling, () => [aBillingRecord({ productName: 'Engram - Pro - monthly', next })]);
  renderApp('/pricing');
  await waitFor(async () =>
    expect((await columns())?.[0]).toBe('Engram - Pro Your next plan $1.50 per week'),
  );
  expect((await tab(/Monthly/u)).textContent).toContain('Your plan');
  expect((await tab(/Weekly/u)).textContent).not.toContain('Your plan');
  expect(screen.queryByRole('button', { name: 'Get Started with Engram - Pro' })).toBeNull();
});

test('if no plans are sold, nothing is offered and the page explains why', async () => {
  server.on(appSettings, () => someSettings({ payments: { provider: 'off' } }));
  renderApp('/pricing');
  expect(await screen.findByText('Plans are not sold on this server.')).toBeTruthy();
  expect(await columns()).toHaveLength(4);
  expect(screen.queryByRole('button', { name: /^Get Started/u })).toBeNull();
});

test('a checkout shows the credit from the earlier plan and the amount due today', async () => {
  server.on(getSandboxCheckout, () => ({
    sessionId: 'session-1',
    plan: 'Engram - Pro - monthly',
    amount: 5,
    billingPeriod: 'monthly',
    kind: 'new' as const,
    dueToday: 1.5,
    beginsOn: '2026-11-20T20:00:00Z',
  }));
  const { user } = renderApp('/pricing');
  await user.click(await getStarted('Pro'));
  expect(await screen.findByText('$1.50 is due today')).toBeTruthy();
  expect(screen.getByText(/^\$3\.50 is credited/u)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Pay $1.50' })).toBeTruthy();
});

test('a user with a cancelled plan is shown the change, and resumes the current plan in Billing', async () => {
  server.on(getMetrics, () => someMetrics({ plan: 'Engram - Pro - weekly', status: 'Cancelled' }));
  const { user } = renderApp('/pricing');
  await user.click(await getStarted('Elite'));
  expect(await screen.findByRole('dialog', { name: 'Confirm Upgrade' })).toBeTruthy();
  const billing = screen.getByRole('link', { name: 'See in Billing', hidden: true });
  expect(billing.getAttribute('href')).toBe('/profile#billing');
});

test.each([
  [402, 'The payment was declined.', 'Ask your bank about the card, then try again.'],
  [409, 'No paid plan is running.', 'Buy a plan instead'],
])('a refused change (%i) has no effect, and says why', async (status, reason, advice) => {
  server.on(updatePlan, () => new Refusal(status, reason));
  const { user, router } = renderApp('/pricing?upgrade=true');
  await user.click(await getStarted('Elite'));
  await user.click(await screen.findByRole('button', { name: 'Upgrade' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe(`Your plan was not changed. ${reason} ${advice}`);
  expect(router.state.location.pathname).toBe('/pricing');
});

test('a change that requires a payment opens its checkout', async () => {
  server.on(updatePlan, () => ({ clientSecret: 'another-secret' }));
  const { user } = renderApp('/pricing?upgrade=true');
  await user.click(await getStarted('Elite'));
  await user.click(await screen.findByRole('button', { name: 'Upgrade' }));
  expect(await screen.findByRole('button', { name: 'Pay $5.00' })).toBeTruthy();
  expect(server.callsOf(getSandboxCheckout)[0]?.params).toEqual({ clientSecret: 'another-secret' });
});

test('Stripe’s script is loaded only for its checkout, and its failure is shown', async () => {
  server.on(appSettings, () =>
    someSettings({ payments: { provider: 'stripe', publishableKey: 'pk_test_1' } }),
  );
  const { user } = renderApp('/pricing');
  const script = () => document.querySelector('script[src^="https://js.stripe.com/"]');
  const button = await getStarted('Pro');
  expect(script()).toBeNull();
  expect(screen.queryByText(/sandbox/u)).toBeNull();
  await user.click(button);
  await waitFor(() => expect(script()).not.toBeNull());
  // The script is requested twice before the failure is shown.
  await waitFor(() => {
    script()?.dispatchEvent(new Event('error'));
    expect(screen.getByText('Stripe’s checkout could not be loaded')).toBeTruthy();
  });
  expect(screen.getByText('Failed to load Stripe.js')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Back' })).toBeTruthy();
});

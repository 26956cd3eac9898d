import { getMetrics, getSessionDetails, type DataOf } from '@engram/contract';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';
import { startServerWithPlans } from './pricing.test-setup.ts';

type PaymentStatus = DataOf<typeof getSessionDetails>['paymentStatus'];

const UNVERIFIED = 'Unable to verify payment status. Please contact support.';

let server: FakeServer;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server = startServerWithPlans();
});
afterEach(() => void vi.useRealTimers());

function open(search: string) {
  const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) });
  return renderApp(`/message${search}`, user);
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const advanceTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test.each<[PaymentStatus, string, boolean]>([
  ['paid', 'Thanks for subscribing with us!', true],
  ['unpaid', 'Payment failed. Please try again.', false],
])(
  'the payment result %s is checked and shown, and the home page opens after two seconds',
  async (paymentStatus, message, reloadsPlan) => {
    const response = Promise.withResolvers<void>();
    server.on(getSessionDetails, async () => {
      await response.promise;
      return { paymentStatus };
    });
    const { router } = open('?session_id=s%201');
    expect(await heading('Checking payment status...')).toBeTruthy();
    await screen.findByText(/of 15 today/u);
    const requestCount = server.callsOf(getMetrics).length;
    response.resolve();
    expect(await heading(message)).toBeTruthy();
    expect(server.callsOf(getSessionDetails)[0]?.query.get('session_id')).toBe('s 1');
    expect(router.state.location.pathname).toBe('/message');
    await advanceTime(2000);
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'));
    // Only a purchase changes the user's plan.
    expect(server.callsOf(getMetrics).length > requestCount).toBe(reloadsPlan);
  },
);

test('the page from which the user opened the plans opens again', async () => {
  const { router } = renderApp('/keywords?sort=files');
  await heading('Keywords');
  await act(() => router.navigate('/pricing'));
  await heading('Pricing');
  // The router does the same when the address changes on the page.
  await act(() => router.navigate('/pricing?upgrade=true'));
  await act(() => router.navigate('/message?session_id=s1'));
  await heading('Thanks for subscribing with us!');
  expect(screen.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe(
    '/keywords?sort=files',
  );
  await advanceTime(2000);
  await waitFor(() => expect(router.state.location.pathname).toBe('/keywords'));
  expect(router.state.location.search).toBe('?sort=files');
});

test('a page from an earlier visit to the plans is not reopened', async () => {
  sessionStorage.setItem('wayBack', JSON.stringify({ data: '/keywords', timestamp: Date.now() }));
  const { router } = renderApp('/pricing');
  await heading('Pricing');
  await act(() => router.navigate('/message?session_id=s1'));
  await heading('Thanks for subscribing with us!');
  await advanceTime(2000);
  await waitFor(() => expect(router.state.location.pathname).toBe('/home'));
});

test('a user who leaves earlier is not redirected', async () => {
  server.on(getSessionDetails, () => ({ paymentStatus: 'unpaid' }) as const);
  const { user, router } = open('?session_id=s1');
  await user.click(await screen.findByRole('link', { name: 'Back to Pricing' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/pricing'));
  await advanceTime(5000);
  expect(router.state.location.pathname).toBe('/pricing');
});

test.each([
  ['no session', '', undefined, 'If you have paid'],
  ['an empty session', '?session_id=', undefined, 'If you have paid'],
  ['an error', '?session_id=s1', new Refusal(404, 'No such checkout.'), 'No such checkout. If'],
  ['another state', '?session_id=s1', { paymentStatus: 'no_payment_required' } as const, 'If you'],
])('with %s nothing is verified, and the page stays', async (_, search, answer, expectedText) => {
  if (answer) server.on(getSessionDetails, () => answer);
  const { router } = open(search);
  expect(await heading(UNVERIFIED)).toBeTruthy();
  expect(screen.getByText((text) => text.startsWith(expectedText))).toBeTruthy();
  expect(server.callsOf(getSessionDetails)).toHaveLength(answer ? 1 : 0);
  expect(screen.getByRole('link', { name: 'Open Billing' }).getAttribute('href')).toBe(
    '/profile#billing',
  );
  await advanceTime(5000);
  expect(router.state.location.pathname).toBe('/message');
});

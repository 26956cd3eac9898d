import {
  createSubscription,
  getBilling,
  getMetrics,
  getSandboxCheckout,
  getSessionDetails,
  listPlans,
  paySandboxCheckout,
  previewPlan,
  updatePlan,
  type Plan,
  type PlanChange,
} from '@engram/contract';
import { vi } from 'vitest';
import { someMetrics, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import type { FakeServer } from '../../tests/fake-server.test-setup.ts';

const planOf = (
  tier: string,
  billingPeriod: Plan['billingPeriod'],
  amount: number,
  [dailyLimit, weeklyLimit, monthlyLimit]: [number, number, number],
  storage: number,
): Plan => ({
  name: `Engram - ${tier} - ${billingPeriod}`,
  productId: tier,
  priceId: `price ${tier} ${billingPeriod}`,
  amount,
  billingPeriod,
  queryLimit: { dailyLimit, weeklyLimit, monthlyLimit },
  fileSizeLimit: {
    weeklyLimit: 0,
    monthlyLimit: storage,
    quarterlyLimit: storage,
    yearlyLimit: storage,
  },
});

/** Plans in another order than that on the page. */
export const somePlans = (): Plan[] => [
  {
    ...planOf('Starter', 'weekly', 0, [15, 105, 0], 0),
    name: 'Starter(Free)',
    fileSizeLimit: { weeklyLimit: 10, monthlyLimit: 0, quarterlyLimit: 0, yearlyLimit: 0 },
  },
  planOf('Team', 'monthly', 7, [50, 350, 0], 0),
  planOf('Elite', 'monthly', 10, [100, 700, 3000], 100),
  planOf('Pro', 'monthly', 5, [25, 175, 700], 25),
  planOf('Elite', 'weekly', 3, [100, 700, 3000], 100),
  planOf('Pro', 'weekly', 1.5, [25, 175, 700], 25),
  planOf('Pro', 'yearly', 48, [25, 175, 700], 25),
];

/** The preview of weekly Elite for a user with Pro. */
export const aPlanChange = (over: Partial<PlanChange> = {}): PlanChange => ({
  kind: 'upgrade',
  plan: 'Engram - Elite - weekly',
  beginsOn: '2026-11-20T20:00:00Z',
  dueToday: 1.86,
  price: 3,
  credited: 1.14,
  balance: 0,
  asOf: '2026-11-20T20:00:00Z',
  ...over,
});

/** A server that sells plans in the sandbox to a signed-in user. */
export function startServerWithPlans(): FakeServer {
  sessionStorage.setItem('authToken', 'a-token');
  return startServerWithFiles()
    .on(listPlans, somePlans)
    .on(getMetrics, () => someMetrics({ enforced: true }))
    .on(createSubscription, () => ({ clientSecret: 'sandbox-secret' }))
    .on(getBilling, () => [])
    .on(previewPlan, () => aPlanChange())
    .on(updatePlan, () => ({ clientSecret: null }))
    .on(getSandboxCheckout, () => ({
      sessionId: 'session-1',
      plan: 'Engram - Pro - monthly',
      amount: 5,
      billingPeriod: 'monthly',
      kind: 'new' as const,
      dueToday: 5,
      beginsOn: '2026-11-20T20:00:00Z',
    }))
    .on(paySandboxCheckout, () => ({ sessionId: 'session-1', paymentStatus: 'paid' }) as const)
    .on(getSessionDetails, () => ({ paymentStatus: 'paid' }) as const);
}

/** Makes the window just wide enough for the table of plans, or one pixel too narrow. */
export function setWide(wide: boolean): void {
  const width = wide ? 992 : 991;
  vi.stubGlobal('matchMedia', (media: string) => ({
    ...matchMediaOf(media),
    matches: Number(/min-width: (\d+)px/u.exec(media)?.[1]) <= width,
  }));
}

const matchMediaOf = (media: string): MediaQueryList => ({
  matches: false,
  media,
  onchange: null,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  addListener: () => undefined,
  removeListener: () => undefined,
  dispatchEvent: () => false,
});

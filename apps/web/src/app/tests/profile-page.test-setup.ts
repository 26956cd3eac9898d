import {
  getBilling,
  getMetrics,
  getProfile,
  listLedger,
  refreshSession,
  type BillingRecord,
  type Metrics,
  type Profile,
} from '@engram/contract';
import { screen } from '@testing-library/react';
import { aProfile, someMetrics, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';
import { paths } from '../paths.ts';

export const aBillingRecord = (over: Partial<BillingRecord> = {}): BillingRecord => ({
  productName: 'Starter(Free)',
  billingCycle: null,
  renewsOn: null,
  amount: 0,
  status: 'ACTIVE',
  billingAddress: null,
  filesDeletedOn: null,
  next: null,
  balance: 0,
  sandboxPlan: null,
  ...over,
});

/** The account on the server, which tests may change at any time. */
export interface Account {
  profile: Profile;
  billing: BillingRecord;
  metrics: Metrics;
}

/** A server with one account, whose user is signed in. */
export function startAccount(): { server: FakeServer; account: Account } {
  const account: Account = {
    profile: aProfile(),
    billing: aBillingRecord(),
    metrics: someMetrics(),
  };
  const server = startServerWithFiles()
    .on(refreshSession, () => new Refusal(401, 'You are not signed in.'))
    .on(getProfile, () => account.profile)
    .on(getMetrics, () => account.metrics)
    .on(getBilling, () => [account.billing])
    .on(
      listLedger,
      () => [],
      () => ({ total: 0, nextCursor: null }),
    );
  sessionStorage.setItem('authToken', 'a-token');
  sessionStorage.setItem('a_exist', 'true');
  return { server, account };
}

/** Renders the profile page with the section in the address. */
export async function openSection(section: string, heading: string) {
  const opened = renderApp(`${paths.profile}#${section}`);
  await screen.findByRole('heading', { level: 2, name: heading });
  return opened;
}

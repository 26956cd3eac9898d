import {
  addCredits,
  addCreditsByPut,
  getBilling,
  getMetrics,
  listAllLedger,
  listCredits,
  listLedger,
  listPlans,
} from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { CreditsService } from './credits.service.ts';
import type { SubscriptionService } from './subscription.service.ts';

export function mountSubscriptionRoutes(mount: Mount, service: SubscriptionService): void {
  mount(getMetrics, async ({ caller }) => ({ data: await service.metrics(caller.userId) }));

  mount(listPlans, async () => ({ data: await service.listPlans() }));

  mount(getBilling, async ({ caller }) => ({ data: await service.billing(caller.userId) }));
}

export function mountCreditsRoutes(mount: Mount, service: CreditsService): void {
  for (const route of [addCredits, addCreditsByPut]) {
    mount(route, async ({ caller, params }) => ({
      data: await service.add(caller.userId, params.userId, params.credits),
    }));
  }

  mount(listCredits, ({ caller, query }) => service.list(caller.userId, query));

  mount(listLedger, ({ caller, query }) => service.ledger(caller.userId, query));

  mount(listAllLedger, ({ caller, query }) => service.ledgerOfAll(caller.userId, query));
}

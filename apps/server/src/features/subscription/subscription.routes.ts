import { getMetrics } from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { SubscriptionService } from './subscription.service.ts';

/** Binds the calls on the caller's plan. */
export function mountSubscriptionRoutes(mount: Mount, service: SubscriptionService): void {
  mount(getMetrics, async ({ caller }) => ({ data: await service.metrics(caller.userId) }));
}

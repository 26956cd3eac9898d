import { listSecurityEvents } from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { SecurityEvents } from './security-events.service.ts';

export function mountSecurityEventsRoutes(mount: Mount, events: SecurityEvents): void {
  mount(listSecurityEvents, ({ caller, query }) => events.list(caller.userId, query));
}

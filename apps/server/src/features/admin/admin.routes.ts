import { listAudit, listEmails, listUsers } from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { AdminService } from './admin.service.ts';

export function mountAdminRoutes(mount: Mount, service: AdminService): void {
  mount(listEmails, ({ caller, query }) => service.emails(caller, query));
  mount(listUsers, ({ caller, query }) => service.users(caller, query));
  mount(listAudit, ({ caller, query }) => service.auditLog(caller, query));
}

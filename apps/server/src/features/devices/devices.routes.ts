import { endDevice, listDevices, reportDevice, steerDevice } from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { SecurityEvents } from '../security-events/security-events.service.ts';
import type { DevicesService } from './devices.service.ts';

export function mountDevicesRoutes(
  mount: Mount,
  service: DevicesService,
  events: Pick<SecurityEvents, 'by'>,
): void {
  mount(reportDevice, async ({ caller, body }) => ({ data: await service.report(caller, body) }));

  mount(listDevices, async ({ caller }) => ({ data: await service.list(caller.userId) }));

  mount(steerDevice, async ({ caller, params, body }) => ({
    data: await service.steer(caller.userId, params.id, body),
  }));

  mount(endDevice, async ({ caller, ip, params }) => {
    if (await service.end(caller, params.id)) await events.by('app_ended', caller, ip);
    return { data: null };
  });
}

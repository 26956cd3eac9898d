import { endDevice, listDevices, reportDevice, steerDevice } from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { DevicesService } from './devices.service.ts';

/** Binds the calls of devices that keep folders in step, and of the people whose devices they are. */
export function mountDevicesRoutes(mount: Mount, service: DevicesService): void {
  mount(reportDevice, async ({ caller, body }) => ({ data: await service.report(caller, body) }));

  mount(listDevices, async ({ caller }) => ({ data: await service.list(caller.userId) }));

  mount(steerDevice, async ({ caller, params, body }) => ({
    data: await service.steer(caller.userId, params.id, body),
  }));

  mount(endDevice, async ({ caller, params }) => {
    await service.end(caller.userId, params.id);
    return { data: null };
  });
}

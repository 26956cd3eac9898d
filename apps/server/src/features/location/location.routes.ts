import { nameLocation } from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { LocationService } from './location.service.ts';

/** Binds the call that names positions. */
export function mountLocationRoutes(mount: Mount, service: LocationService): void {
  mount(nameLocation, async ({ query: { lat, lon }, ip }) => ({
    data: await service.name({ latitude: lat, longitude: lon }, ip),
  }));
}

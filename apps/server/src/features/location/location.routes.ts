import { nameLocation } from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import { networksOf } from '../../platform/http/networks.ts';
import type { LocationService } from './location.service.ts';

export function mountLocationRoutes(mount: Mount, service: LocationService): void {
  mount(nameLocation, async ({ query: { lat, lon }, request }) => ({
    data: await service.name({ latitude: lat, longitude: lon }, networksOf(request)),
  }));
}

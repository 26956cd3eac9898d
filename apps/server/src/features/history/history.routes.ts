import { getHistoryEntry, listHistory, todaysHistory, updateHistory } from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { HistoryService } from './history.service.ts';

export function mountHistoryRoutes(mount: Mount, service: HistoryService): void {
  mount(todaysHistory, async ({ caller }) => ({ data: await service.today(caller) }));
  mount(listHistory, ({ caller, query }) => service.list(caller, query));
  mount(getHistoryEntry, async ({ caller, query }) => ({
    data: await service.get(caller, query.id),
  }));
  mount(updateHistory, async ({ caller, body }) => ({ data: await service.update(caller, body) }));
}

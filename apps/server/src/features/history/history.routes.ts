import { Readable } from 'node:stream';
import {
  deleteHistory,
  getHistoryEntry,
  historyAudio,
  historyThread,
  listHistory,
  listThreads,
  todaysHistory,
  updateHistory,
} from '@engram/contract';
import { clientGone } from '../../platform/http/event-stream.ts';
import { replyWithFile } from '../../platform/http/file-reply.ts';
import type { Mount } from '../../platform/http/mount.ts';
import type { HistoryService } from './history.service.ts';

export function mountHistoryRoutes(mount: Mount, service: HistoryService): void {
  mount(todaysHistory, async ({ caller, query }) => ({
    data: await service.today(caller, query.timeZone),
  }));
  mount(listHistory, ({ caller, query }) => service.list(caller, query));
  mount(listThreads, ({ caller, query }) => service.threads(caller, query));
  mount(historyThread, async ({ caller, query }) => ({
    data: await service.thread(caller, query.id),
  }));
  mount(getHistoryEntry, async ({ caller, query }) => ({
    data: await service.get(caller, query.id),
  }));
  mount(historyAudio, async ({ caller, params, request, reply }) => {
    const mp3 = await service.listen(caller, params.id, clientGone(reply));
    return replyWithFile(request, reply, {
      fileName: 'answer.mp3',
      mediaType: 'audio/mpeg',
      size: mp3.length,
      read: ({ start, end }) => Promise.resolve(Readable.from([mp3.subarray(start, end + 1)])),
    });
  });
  mount(deleteHistory, async ({ caller }) => {
    await service.deleteAll(caller.userId);
    return { data: null };
  });
  mount(updateHistory, async ({ caller, body }) => ({ data: await service.update(caller, body) }));
}

import { findPassages, search, transcribe } from '@engram/contract';
import { scoreShare } from '@engram/retrieval';
import {
  disconnectSignal,
  openEventStream,
  wantsEvents,
} from '../../platform/http/event-stream.ts';
import type { Mount } from '../../platform/http/mount.ts';
import { savesFileOf } from '../../platform/http/one-file.ts';
import { describeError } from '../../platform/http/server.ts';
import type { SearchService } from './search.service.ts';
import type { TranscriptionService } from './transcription.service.ts';

export function mountSearchRoutes(
  mount: Mount,
  service: SearchService,
  transcription: TranscriptionService,
): void {
  mount(search, async ({ caller, body, ip, request, reply }) => {
    const disconnected = disconnectSignal(reply);
    const asker = { ...caller, ip };
    if (!wantsEvents(request)) return { data: await service.ask(asker, body, disconnected) };
    const stream = openEventStream(reply);
    try {
      stream.send('done', await service.ask(asker, body, disconnected, stream.send));
    } catch (error) {
      // Before the first event, a plain error response is still possible.
      if (!stream.started) throw error;
      request.log.error({ err: error }, 'answering failed');
      const { message, code } = describeError(error);
      stream.send('error', { message, code });
    }
    return stream.end();
  });

  mount(findPassages, async ({ caller, body }) => {
    const passages = await service.find(caller.userId, body.text, body.keywords);
    return {
      data: passages.map(({ passage: { fileName, path, text, score }, ...best }) => ({
        ...best,
        fileName,
        path: path ?? null,
        text,
        score: Number(scoreShare(score).toFixed(3)),
      })),
    };
  });

  mount(transcribe, async ({ caller, request, reply }) => {
    const save = savesFileOf(request);
    const text = await transcription.transcribe(caller.userId, save, disconnectSignal(reply));
    return { data: { text } };
  });
}

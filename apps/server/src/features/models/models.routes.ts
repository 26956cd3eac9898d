import { getModel, listModels, pauseModel, removeModel, chooseModel } from '@engram/contract';
import { clientGone, openEventStream, wantsEvents } from '../../platform/http/event-stream.ts';
import type { Mount } from '../../platform/http/mount.ts';
import type { ModelsService } from './models.service.ts';

export function mountModelsRoutes(mount: Mount, service: ModelsService): void {
  mount(listModels, async ({ caller, request, reply }) => {
    if (!wantsEvents(request)) return { data: await service.state(caller) };
    const stream = openEventStream(reply);
    try {
      for await (const state of service.watch(caller, clientGone(reply))) {
        stream.send('state', state);
      }
    } catch (error) {
      // Once the stream has begun, all that is left is to end it: the client asks again.
      if (!stream.started) throw error;
      request.log.error({ err: error }, 'watching models failed');
    }
    return stream.end();
  });
  mount(getModel, async ({ caller, params }) => ({
    data: await service.get(caller, params.name),
  }));
  mount(pauseModel, async ({ caller, params }) => ({
    data: await service.pause(caller, params.name),
  }));
  mount(chooseModel, async ({ caller, params }) => ({
    data: await service.use(caller, params.name),
  }));
  mount(removeModel, async ({ caller, params }) => ({
    data: await service.remove(caller, params.name),
  }));
}

import { getModel, listModels, pauseModel, removeModel, chooseModel } from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { ModelsService } from './models.service.ts';

/** Binds the calls on the language models of this machine. */
export function mountModelsRoutes(mount: Mount, service: ModelsService): void {
  mount(listModels, async ({ caller }) => ({ data: await service.state(caller) }));
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

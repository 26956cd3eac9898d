import { childSettings, serveTasks } from '../../processes/child-serve.ts';
import type { ModelInput, ModelTask } from './encoder-driver.ts';
import { loadEncoder } from './inference.ts';

export interface ModelChildSettings {
  folder: string;
  task: ModelTask;
}

/** One input, or null for the description of the loaded model. */
export type ModelRequest = ModelInput | null;
export interface LoadedModel {
  digest: string;
  dimensions: number;
}

export type ModelResult = Float32Array | LoadedModel;

/** Embedding has a lower priority than extraction. Users wait for reranking. */
const NICENESS: Record<ModelTask, number> = { embed: 10, rerank: 0 };

const { folder, task } = childSettings() as ModelChildSettings;

await serveTasks<ModelRequest, never, ModelResult>({
  niceness: NICENESS[task],
  threads: true,
  async prepare() {
    const loading = loadEncoder(folder, task);
    loading.catch(() => undefined);
    return async (request) => {
      const { digest, dimensions, run } = await loading;
      return request === null ? { digest, dimensions } : run(request);
    };
  },
});

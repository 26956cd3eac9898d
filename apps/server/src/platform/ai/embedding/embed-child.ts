import { childSettings, serveTasks } from '../../processes/child-serve.ts';
import type { EmbeddingKind } from './embed-driver.ts';
import { type Inference, loadModel } from './embed-inference.ts';

/** One text; null asks for what the model is, once it is loaded. */
export type EmbedRequest = { text: string; kind: EmbeddingKind } | null;

export type LoadedModel = Pick<Inference, 'digest' | 'dimensions'>;
export type EmbedResult = Float32Array | LoadedModel;

/** Behind the reading of files, which makes them findable by their words. */
const NICENESS = 10;

await serveTasks<EmbedRequest, never, EmbedResult>({
  niceness: NICENESS,
  threads: true,
  async prepare() {
    const loading = loadModel(childSettings() as string);
    // The first task is told why.
    loading.catch(() => undefined);
    return async (request) => {
      const { digest, dimensions, embed } = await loading;
      return request === null ? { digest, dimensions } : embed(request.text, request.kind);
    };
  },
});

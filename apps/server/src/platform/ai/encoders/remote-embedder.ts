import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { embedMany } from 'ai';
import { ModelUnavailable, toModelUnavailable } from '../model-unavailable.ts';
import type { EncoderDriver, ModelInput } from './encoder-driver.ts';
import { promptsOf } from './model-folder.ts';

interface RemoteModel {
  provider: 'openai' | 'ollama';
  model: string;
  baseUrl: string;
  apiKey?: string | undefined;
}

/** Within the limits of common servers. */
const LIMITS = { inputs: 32, characters: 6000 };

/** A model behind OpenAI's embeddings API, which Ollama also has. @throws ModelUnavailable */
export async function openRemoteEmbedder(
  { provider, model, baseUrl, apiKey }: RemoteModel,
  signal: AbortSignal,
): Promise<EncoderDriver> {
  const server = createOpenAICompatible({
    name: provider,
    baseURL: baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  const prompts = promptsOf(model);

  async function run(inputs: readonly ModelInput[], abortSignal: AbortSignal) {
    try {
      const { embeddings } = await embedMany({
        model: server.embeddingModel(model),
        values: inputs.flatMap((input) =>
          'kind' in input ? prompts[input.kind] + input.text : [],
        ),
        maxRetries: 0,
        abortSignal,
      });
      return embeddings.map((embedding) => Float32Array.from(embedding));
    } catch (error) {
      abortSignal.throwIfAborted();
      // The cause contains text of files, which must not be logged.
      const { reason, message, retryable } = toModelUnavailable(error);
      throw new ModelUnavailable(reason, message, { retryable });
    }
  }

  const [probe] = await run([{ text: 'Engram', kind: 'passage' }], signal);
  return {
    identity: `${provider} ${baseUrl} ${model} ${JSON.stringify(prompts)}`,
    dimensions: probe?.length ?? 0,
    limits: LIMITS,
    usable: true,
    run,
    close: async () => undefined,
  };
}

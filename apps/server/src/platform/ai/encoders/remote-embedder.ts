import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { embedMany } from 'ai';
import { promptsOf } from './prompts.ts';
import type { EmbeddingDriver, EmbeddingKind } from './embedding-driver.ts';
import { ModelUnavailable, toModelUnavailable } from '../model-unavailable.ts';

/** An OpenAI-compatible server with a model for embeddings. */
export interface RemoteModel {
  /** The provider's name, as the settings spell it. */
  provider: 'openai' | 'ollama';
  model: string;
  /** With /v1. */
  baseUrl: string;
  apiKey?: string | undefined;
}

/** Texts of one request, and UTF-16 units of one text: within the limits of the usual servers. */
const LIMITS = { texts: 32, characters: 6000 };

/**
 * A model behind OpenAI's interface for embeddings, which Ollama speaks too. One text is sent to
 * learn whether it answers, and how many dimensions it has.
 * @throws ModelUnavailable
 */
export async function openRemoteEmbedder(
  { provider, model, baseUrl, apiKey }: RemoteModel,
  signal: AbortSignal,
): Promise<EmbeddingDriver> {
  const server = createOpenAICompatible({
    name: provider,
    baseURL: baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  const prompts = promptsOf(model);

  async function embed(
    texts: readonly string[],
    kind: EmbeddingKind,
    abortSignal: AbortSignal,
  ): Promise<Float32Array[]> {
    try {
      const { embeddings } = await embedMany({
        model: server.embeddingModel(model),
        values: texts.map((text) => prompts[kind] + text),
        maxRetries: 0,
        abortSignal,
      });
      return embeddings.map((embedding) => Float32Array.from(embedding));
    } catch (error) {
      abortSignal.throwIfAborted();
      // Its cause holds what was sent and what came: text of a file, which belongs in no log.
      const { reason, message, retryable } = toModelUnavailable(error);
      throw new ModelUnavailable(reason, message, { retryable });
    }
  }

  const [probe] = await embed(['Engram'], 'passage', signal);
  return {
    identity: `${provider} ${baseUrl} ${model} ${JSON.stringify(prompts)}`,
    dimensions: probe?.length ?? 0,
    limits: LIMITS,
    usable: true,
    embed,
    close: async () => undefined,
  };
}

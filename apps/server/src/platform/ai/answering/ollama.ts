import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { withoutTrailingSlash } from '../openai-server.ts';

/** Time limit of a request, in milliseconds: on this machine Ollama answers in a few. */
const TIMEOUT_MS = 300;
/** The result of a request is used for this time, in milliseconds. */
const CACHE_MS = 30_000;

/** https://github.com/ollama/ollama/blob/main/docs/api.md#list-local-models */
const tags = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      remote_host: z.string().nullish(),
      details: z.object({ family: z.string().nullish() }).nullish(),
    }),
  ),
});

/**
 * The models that can chat and run on Ollama's own machine, the one pulled last first. A model that
 * Ollama forwards to another server would send files away without having been chosen.
 */
const usable = (models: z.output<typeof tags>['models']): string[] =>
  models
    .filter(
      ({ name, remote_host, details }) =>
        (remote_host ?? '') === '' &&
        !/[:-]cloud$/u.test(name) &&
        !/embed|bge-|minilm|rerank|ocr/iu.test(name) &&
        !/bert/iu.test(details?.family ?? ''),
    )
    .map(({ name }) => name);

/** Finds the models of Ollama at an address, at once and again in the background when they are old. */
export function createOllamaFinder({
  baseUrl,
  fetch,
  clock,
}: {
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  clock: Clock;
}) {
  let found: readonly string[] | 'looking' | 'absent' = 'looking';
  let foundAt = Number.NEGATIVE_INFINITY;
  let request: Promise<void> | null = null;

  async function look(): Promise<readonly string[] | 'absent'> {
    const timeout = new AbortController();
    const timer = clock.setTimeout(() => timeout.abort(), TIMEOUT_MS);
    try {
      const { signal } = timeout;
      const answer = await fetch(`${withoutTrailingSlash(baseUrl)}/api/tags`, { signal });
      return answer.ok ? usable(tags.parse(await answer.json()).models) : 'absent';
    } catch {
      return 'absent';
    } finally {
      clock.clearTimeout(timer);
    }
  }

  async function refresh(): Promise<void> {
    found = await look();
    foundAt = clock.now();
    request = null;
  }

  function current(): typeof found {
    if (clock.now() - foundAt >= CACHE_MS) request ??= refresh();
    return found;
  }

  current();
  return {
    current,
    settled: async (): Promise<void> => request ?? undefined,
    recheck: (): void => {
      request ??= refresh();
    },
  };
}

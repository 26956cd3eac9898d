import { z } from 'zod';
import type { Clock } from '../../clock.ts';

/** How long a look for Ollama may take, in milliseconds: on this machine it answers in a few. */
const LOOK_MS = 300;
/** What was found, or not found, is believed for this long. */
const BELIEVED_MS = 30_000;

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

/** What a look for Ollama brought: no server, a server without a model to talk to, or a model. */
export type OllamaFound =
  | { state: 'looking' | 'absent' | 'empty'; model: null }
  /** The model pulled last, and all that can answer. */
  | { state: 'found'; model: string; all: readonly string[] };

export interface OllamaFinder {
  /** What is known now; an old answer is checked again in the background. */
  current(): OllamaFound;
  /** Settles when the look that is under way has ended; it never rejects. */
  settled(): Promise<void>;
  /** Ollama just failed: it is looked for again at once, in the background. */
  doubt(): void;
}

/**
 * The models that can talk and run on Ollama's own machine, the one pulled last first: a model that
 * Ollama only hands on to somebody else's server would send files away without having been chosen.
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

/** Looks for an Ollama at the address, at once and then whenever it is asked and some time has passed. */
export function createOllamaFinder(options: {
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  clock: Clock;
}): OllamaFinder {
  const { baseUrl, fetch, clock } = options;
  let found: OllamaFound = { state: 'looking', model: null };
  let lookedAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | null = null;

  async function look(): Promise<OllamaFound> {
    const giveUp = new AbortController();
    const timer = clock.setTimeout(() => giveUp.abort(), LOOK_MS);
    try {
      const answer = await fetch(`${baseUrl.replace(/(?<!\/)\/+$/u, '')}/api/tags`, {
        signal: giveUp.signal,
      });
      if (!answer.ok) return { state: 'absent', model: null };
      const all = usable(tags.parse(await answer.json()).models);
      const [model] = all;
      return model === undefined ? { state: 'empty', model: null } : { state: 'found', model, all };
    } catch {
      return { state: 'absent', model: null };
    } finally {
      clock.clearTimeout(timer);
    }
  }

  async function refresh(): Promise<void> {
    found = await look();
    lookedAt = clock.now();
    underWay = null;
  }

  function current(): OllamaFound {
    if (clock.now() - lookedAt >= BELIEVED_MS) underWay ??= refresh();
    return found;
  }

  current();
  return {
    current,
    settled: async () => underWay ?? undefined,
    doubt: () => {
      underWay ??= refresh();
    },
  };
}

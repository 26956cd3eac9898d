import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { parseJson } from '../../parse-json.ts';
import { withoutTrailingSlash } from '../openai-server.ts';

/** In milliseconds. Ollama on the same machine responds in a few. */
const TIMEOUT_MS = 300;
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
 * The chat models that run on Ollama's machine, the last pulled one first. Cloud models would send files
 * to another server without the user's choice.
 */
const localChatModels = (models: z.output<typeof tags>['models']): string[] =>
  models
    .filter(
      ({ name, remote_host, details }) =>
        (remote_host ?? '') === '' &&
        !/[:-]cloud$/u.test(name) &&
        !/embed|bge-|minilm|rerank|ocr/iu.test(name) &&
        !/bert/iu.test(details?.family ?? ''),
    )
    .map(({ name }) => name);

/** Lists the models of Ollama at an address, and refreshes an old list in the background. */
export function createOllamaFinder(baseUrl: string, clock: Clock) {
  let models: readonly string[] | 'searching' | 'absent' = 'searching';
  let readAt = Number.NEGATIVE_INFINITY;
  let request: Promise<void> | null = null;

  async function fetchModels(): Promise<readonly string[] | 'absent'> {
    const timeout = new AbortController();
    const timer = clock.setTimeout(() => timeout.abort(), TIMEOUT_MS);
    try {
      const { signal } = timeout;
      const response = await fetch(`${withoutTrailingSlash(baseUrl)}/api/tags`, { signal });
      return response.ok ? localChatModels(tags.parse(await response.json()).models) : 'absent';
    } catch {
      return 'absent';
    } finally {
      clock.clearTimeout(timer);
    }
  }

  async function refresh(): Promise<void> {
    models = await fetchModels();
    readAt = clock.now();
    request = null;
  }

  function current(): typeof models {
    if (clock.now() - readAt >= CACHE_MS) request ??= refresh();
    return models;
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

/** In tokens. Ollama's default is 4,096, and it truncates longer prompts silently. */
export const OLLAMA_CONTEXT = 8192;
/** How long Ollama keeps an idle model in memory. The default is five minutes. */
const KEEP_ALIVE = '30m';

interface ChatRequest {
  model: string;
  messages: ChatMessage[];
  temperature?: number;
  max_tokens?: number;
  tools?: unknown[];
  tool_choice?: unknown;
}

interface ChatMessage {
  role: string;
  content?:
    | string
    | null
    | ({ type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } })[];
  tool_calls?: { function: { name: string; arguments: string } }[];
}

const toOllamaMessage = ({ role, content, tool_calls: calls }: ChatMessage): object => {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return {
    role,
    content: (parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join(''),
    images: parts?.flatMap((part) =>
      part.type === 'image_url' ? part.image_url.url.replace(/^data:[^,]*,/u, '') : [],
    ),
    tool_calls: calls?.map(({ function: { name, arguments: input } }) => ({
      function: { name, arguments: parseJson(input) ?? {} },
    })),
  };
};

/** https://docs.ollama.com/api/chat. Reasoning is off because it takes minutes on a CPU. */
const toOllamaRequest = ({ tools, tool_choice, ...rest }: ChatRequest): object => ({
  model: rest.model,
  messages: rest.messages.map(toOllamaMessage),
  ...(tool_choice === 'none' ? {} : { tools }),
  stream: true,
  think: false,
  keep_alive: KEEP_ALIVE,
  options: {
    num_ctx: OLLAMA_CONTEXT,
    num_predict: rest.max_tokens,
    temperature: rest.temperature,
  },
});

const chatLine = z.object({
  message: z.object({
    content: z.string(),
    thinking: z.string().optional(),
    tool_calls: z
      .array(z.object({ function: z.object({ name: z.string(), arguments: z.unknown() }) }))
      .nullish(),
  }),
  done: z.boolean(),
  done_reason: z.string().optional(),
});

const errorLine = z.object({ error: z.string() });

/** Converts a line of Ollama's stream to a server-sent event. The SDK reports invalid lines. */
function toEvent(line: string): string {
  const message = parseJson(line);
  const failure = errorLine.safeParse(message);
  if (failure.success) {
    const error = { message: failure.data.error, type: 'server_error' };
    return `data: ${JSON.stringify({ error })}\n\n`;
  }
  const parsed = chatLine.safeParse(message);
  if (!parsed.success) return `data: ${line}\n\n`;
  const { message: part, done, done_reason: reason = 'stop' } = parsed.data;
  const calls = part.tool_calls?.map(({ function: { name, arguments: input } }, index) => ({
    index,
    id: crypto.randomUUID(),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const delta = {
    content: part.content,
    reasoning_content: part.thinking,
    tool_calls: calls?.length ? calls : undefined,
  };
  const chunk = { choices: [{ index: 0, delta, finish_reason: done ? reason : null }] };
  return `data: ${JSON.stringify(chunk)}\n\n${done ? 'data: [DONE]\n\n' : ''}`;
}

async function* eventsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let remaining = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (remaining + text).split('\n');
    remaining = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield toEvent(line);
  }
  if (remaining.trim() !== '') yield toEvent(remaining);
}

/**
 * A fetch function that translates chat completions to Ollama's native API, the only one that accepts the
 * context size and how long to keep a model in memory.
 */
export const ollamaChat =
  (baseUrl: string): typeof globalThis.fetch =>
  async (_, init) => {
    const body = toOllamaRequest(JSON.parse(String(init?.body)) as ChatRequest);
    const response = await fetch(`${baseUrl}/api/chat`, { ...init, body: JSON.stringify(body) });
    if (!response.ok || response.body === null) return response;
    const events = ReadableStream.from(eventsOf(response.body)).pipeThrough(
      new TextEncoderStream(),
    );
    return new Response(events, { headers: { 'content-type': 'text/event-stream' } });
  };

import { z } from 'zod';
import { parseJson } from '../../parse-json.ts';

type Fetch = typeof globalThis.fetch;

/** Tokens of prompt and answer that Ollama is told to hold: it takes 4,096 otherwise, and cuts the rest off. */
export const OLLAMA_CONTEXT = 8192;
/** How long it keeps a model that is not asked: five minutes unless it is told. */
const KEEP_ALIVE = '30m';

const text = z.object({ type: z.literal('text'), text: z.string() });
const picture = z.object({
  type: z.literal('image_url'),
  image_url: z.object({ url: z.string() }),
});
/** A request for chat completions, as far as one is made here. */
const asked = z.object({
  model: z.string(),
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.union([z.string(), z.array(z.union([text, picture]))]).nullish(),
      tool_calls: z
        .array(z.looseObject({ function: z.object({ name: z.string(), arguments: z.string() }) }))
        .optional(),
    }),
  ),
  temperature: z.number().optional(),
  max_tokens: z.number().optional(),
  tools: z.array(z.unknown()).optional(),
  tool_choice: z.unknown().optional(),
});

type Message = z.output<typeof asked>['messages'][number];

const native = ({ role, content, tool_calls: calls }: Message): object => {
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

/** https://docs.ollama.com/api/chat; thinking takes a processor at home minutes. */
const request = ({ tools, tool_choice, ...rest }: z.output<typeof asked>): object => ({
  model: rest.model,
  messages: rest.messages.map(native),
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

const said = z.object({
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

const failed = z.object({ error: z.string() });

/** A line of Ollama's answer as an event of chat completions; what is none stays as it is. */
function event(line: string): string {
  const failure = failed.safeParse(parseJson(line));
  if (failure.success) {
    const error = { message: failure.data.error, type: 'server_error' };
    return `data: ${JSON.stringify({ error })}\n\n`;
  }
  const parsed = said.safeParse(parseJson(line));
  if (!parsed.success) return `data: ${line}\n\n`;
  const { message, done, done_reason: reason = 'stop' } = parsed.data;
  const calls = message.tool_calls?.map(({ function: { name, arguments: input } }, index) => ({
    index,
    id: crypto.randomUUID(),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const delta = {
    content: message.content,
    reasoning_content: message.thinking,
    tool_calls: calls?.length ? calls : undefined,
  };
  const chunk = { choices: [{ index: 0, delta, finish_reason: done ? reason : null }] };
  return `data: ${JSON.stringify(chunk)}\n\n${done ? 'data: [DONE]\n\n' : ''}`;
}

/** Cuts a stream at its line feeds. */
function lines(): TransformStream<string, string> {
  let rest = '';
  return new TransformStream({
    transform(chunk, stream) {
      const whole = (rest + chunk).split('\n');
      rest = whole.pop() ?? '';
      for (const line of whole) if (line.trim() !== '') stream.enqueue(line);
    },
    flush(stream) {
      if (rest.trim() !== '') stream.enqueue(rest);
    },
  });
}

/**
 * Lets a client of chat completions speak with Ollama's own interface, which alone takes the size of
 * the context, and how long a model is kept.
 */
export const ollamaChat =
  (baseUrl: string, fetch: Fetch): Fetch =>
  async (_, init) => {
    const body = request(asked.parse(parseJson(String(init?.body))));
    const response = await fetch(`${baseUrl}/api/chat`, { ...init, body: JSON.stringify(body) });
    if (!response.ok || response.body === null) return response;
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(lines())
      .pipeThrough(
        new TransformStream<string, string>({
          transform: (line, stream) => stream.enqueue(event(line)),
        }),
      )
      .pipeThrough(new TextEncoderStream());
    return new Response(events, { headers: { 'content-type': 'text/event-stream' } });
  };

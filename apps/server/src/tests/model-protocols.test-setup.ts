import { z } from 'zod';

/** Why a model stopped. */
export type Finish = 'stop' | 'length' | 'content_filter' | 'tool_calls';

/** A tool call of a model. Its input is JSON, which may be invalid. */
export interface Call {
  name: string;
  input: string;
}

/** The content of a request, as text. */
export interface ReadRequest {
  system: string;
  prompt: string;
  /** The results of the tool calls so far. */
  results: string[];
  /** The names of the tools that it may call, if any. */
  tools: string[];
}

/** The streaming format of a provider: how it is written and read. */
export interface Protocol {
  /** The media type of the stream. */
  mediaType: string;
  /** One message of the stream. */
  line: (text: string) => string;
  /** The events before the text. */
  open: () => string;
  thought: (text: string) => string;
  text: (text: string) => string;
  /** The n-th tool call of a message, counted from 0. */
  call: (call: Call, n: number) => string;
  finish: (reason: Finish) => string;
  /** An error in the middle of the stream. */
  error: (message: string) => string;
  /** The body of an error response. */
  refusal: (status: number, message: string) => unknown;
  /** The content of a request, or null if it does not follow this protocol. */
  read: (body: unknown) => ReadRequest | null;
}

const EVENTS = {
  mediaType: 'text/event-stream; charset=utf-8',
  line: (text: string): string => `data: ${text}\n\n`,
};
const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

const textOf = z.union([
  z.string(),
  z
    .array(z.looseObject({ text: z.string().default('') }))
    .transform((parts) => parts.map((part) => part.text).join('')),
]);
/** Anthropic sends tool results as a part of the next message. */
const toolResults = z
  .array(z.looseObject({ type: z.string(), content: textOf.optional() }))
  .transform((parts) => parts.flatMap((p) => (p.type === 'tool_result' ? (p.content ?? '') : [])))
  .catch([]);
const message = z
  .looseObject({ role: z.string(), content: z.unknown().optional() })
  .transform(({ role, content }) => ({
    role,
    content: textOf.nullish().parse(content) ?? '',
    results: toolResults.parse(content),
  }));
const chatBody = z.looseObject({
  model: z.string(),
  stream: z.literal(true),
  system: textOf.optional(),
  messages: z.array(message),
  tools: z
    .array(
      z.looseObject({
        name: z.string().optional(),
        function: z.looseObject({ name: z.string() }).optional(),
      }),
    )
    .default([]),
  tool_choice: z.unknown().optional(),
});

const isNone = (choice: unknown): boolean => JSON.stringify(choice ?? '').includes('none');

function readChat(body: unknown): ReadRequest | null {
  const parsed = chatBody.safeParse(body);
  if (!parsed.success) return null;
  const { messages, system = '', tools, tool_choice } = parsed.data;
  const spoken = (role: string): string[] =>
    messages.filter((message) => message.role === role).map(({ content }) => content);
  return {
    system: system + spoken('system').join('\n'),
    prompt: spoken('user').filter(Boolean).join('\n'),
    results: [...spoken('tool'), ...messages.flatMap(({ results }) => results)],
    tools: isNone(tool_choice) ? [] : tools.map((t) => t.function?.name ?? t.name ?? ''),
  };
}

/** https://platform.openai.com/docs/api-reference/chat-streaming */
const chatCompletions = (model: string): Protocol => {
  const chunk = (delta: object, finish: string | null = null): string =>
    event({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  return {
    ...EVENTS,
    open: () => chunk({ role: 'assistant', content: '' }),
    thought: (text) => chunk({ reasoning_content: text }),
    text: (text) => chunk({ content: text }),
    call: ({ name, input }, n) =>
      chunk({
        tool_calls: [
          { index: n, id: `call_${n}`, type: 'function', function: { name, arguments: input } },
        ],
      }),
    finish: (reason) => `${chunk({}, reason)}data: [DONE]\n\n`,
    error: (message) => event({ error: { message, type: 'server_error', code: null } }),
    refusal: (_, message) => ({ error: { message, type: 'error', code: null } }),
    read: readChat,
  };
};

/** https://docs.anthropic.com/en/docs/build-with-claude/streaming */
const messages = (model: string): Protocol => {
  const named = (data: { type: string } & Record<string, unknown>): string =>
    `event: ${data.type}\n${event(data)}`;
  const reasons = {
    stop: 'end_turn',
    length: 'max_tokens',
    content_filter: 'refusal',
    tool_calls: 'tool_use',
  };
  const messageStart = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  return {
    ...EVENTS,
    open: () =>
      named({ type: 'message_start', message: messageStart }) +
      named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    thought: () => named({ type: 'ping' }),
    text: (text) =>
      named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    call: ({ name, input }, n) => {
      const block = { type: 'tool_use', id: `toolu_${n}`, name, input: {} };
      const delta = { type: 'input_json_delta', partial_json: input };
      return (
        named({ type: 'content_block_start', index: n + 1, content_block: block }) +
        named({ type: 'content_block_delta', index: n + 1, delta }) +
        named({ type: 'content_block_stop', index: n + 1 })
      );
    },
    finish: (reason) =>
      named({ type: 'content_block_stop', index: 0 }) +
      named({
        type: 'message_delta',
        delta: { stop_reason: reasons[reason], stop_sequence: null },
        usage: { output_tokens: 1 },
      }) +
      named({ type: 'message_stop' }),
    error: (text) => named({ type: 'error', error: { type: 'overloaded_error', message: text } }),
    refusal: (_, text) => ({ type: 'error', error: { type: 'error', message: text } }),
    read: readChat,
  };
};

const contentParts = z.array(
  z.looseObject({
    text: z.string().default(''),
    functionResponse: z.looseObject({ response: z.unknown().optional() }).optional(),
  }),
);
const contentBody = z.looseObject({
  systemInstruction: z.looseObject({ parts: textOf }).optional(),
  contents: z.array(z.object({ role: z.string(), parts: contentParts })),
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })) }))
    .default([]),
  toolConfig: z.unknown().optional(),
});

function readContent(body: unknown): ReadRequest | null {
  const parsed = contentBody.safeParse(body);
  if (!parsed.success) return null;
  const { contents, systemInstruction, tools, toolConfig } = parsed.data;
  const parts = contents.filter(({ role }) => role === 'user').flatMap((content) => content.parts);
  return {
    system: systemInstruction?.parts ?? '',
    prompt: parts.map(({ text }) => text).join('\n'),
    results: parts.flatMap(({ functionResponse }) =>
      functionResponse === undefined ? [] : JSON.stringify(functionResponse.response),
    ),
    tools: JSON.stringify(toolConfig ?? '').includes('NONE')
      ? []
      : tools.flatMap((tool) => tool.functionDeclarations.map(({ name }) => name)),
  };
}

/** https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent */
const generateContent = (model: string): Protocol => {
  const chunk = (parts: object[], finishReason?: string): string =>
    event({
      candidates: [{ content: { role: 'model', parts }, index: 0, finishReason }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: model,
    });
  const reasons = {
    stop: 'STOP',
    length: 'MAX_TOKENS',
    content_filter: 'SAFETY',
    tool_calls: 'STOP',
  };
  const failure = (code: number, message: string) => ({
    error: { code, message, status: 'ERROR' },
  });
  return {
    ...EVENTS,
    open: () => '',
    thought: (text) => chunk([{ text, thought: true }]),
    text: (text) => chunk([{ text }]),
    call: ({ name, input }) => chunk([{ functionCall: { name, args: JSON.parse(input) } }]),
    finish: (reason) => chunk([{ text: '' }], reasons[reason]),
    error: (message) => event(failure(503, message)),
    refusal: failure,
    read: readContent,
  };
};

/** https://docs.ollama.com/api/chat */
const ollamaChat = (model: string): Protocol => {
  const line = (data: object): string =>
    `${JSON.stringify({ model, created_at: '2026-01-01T00:00:00Z', done: false, ...data })}\n`;
  const says = (message: object): string =>
    line({ message: { role: 'assistant', content: '', ...message } });
  return {
    mediaType: 'application/x-ndjson',
    line: (text) => `${text}\n`,
    open: () => '',
    thought: (text) => says({ thinking: text }),
    text: (text) => says({ content: text }),
    call: ({ name, input }) =>
      says({ tool_calls: [{ function: { name, arguments: JSON.parse(input) } }] }),
    finish: (reason) =>
      line({
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: reason === 'tool_calls' ? 'stop' : reason,
        prompt_eval_count: 1,
        eval_count: 1,
      }),
    error: (error) => `${JSON.stringify({ error })}\n`,
    refusal: (_, error) => ({ error }),
    read: readChat,
  };
};

const named = z.looseObject({ model: z.string() });

/** The protocol of a request by its path, or null. */
export function protocolOf(path: string, body: unknown): Protocol | null {
  const google = /^\/v1beta\/models\/([^/:]+):streamGenerateContent\?alt=sse$/u.exec(path)?.[1];
  if (google !== undefined) return generateContent(decodeURIComponent(google));
  const model = named.safeParse(body).data?.model ?? '';
  if (path === '/v1/chat/completions') return chatCompletions(model);
  if (path === '/api/chat') return ollamaChat(model);
  return path === '/v1/messages' ? messages(model) : null;
}

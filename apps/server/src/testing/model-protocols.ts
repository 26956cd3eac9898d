import { z } from 'zod';

/** Why a model ended. */
export type Finish = 'stop' | 'length' | 'content_filter';

/** One provider's form of streaming: what it writes, and what it reads. */
export interface Protocol {
  /** What stands before the text. */
  open: () => string;
  thought: (text: string) => string;
  text: (text: string) => string;
  finish: (reason: Finish) => string;
  /** An error in the midst of the stream. */
  error: (message: string) => string;
  /** The body of an answer with an error's status. */
  refusal: (status: number, message: string) => unknown;
  /** Instructions and prompt of a request; null for what is no request of this protocol. */
  read: (body: unknown) => { system: string; prompt: string } | null;
}

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

const textOf = z.union([
  z.string(),
  z
    .array(z.looseObject({ text: z.string().default('') }))
    .transform((parts) => parts.map((part) => part.text).join('')),
]);
const chatBody = z.looseObject({
  model: z.string(),
  stream: z.literal(true),
  system: textOf.optional(),
  messages: z.array(z.object({ role: z.string(), content: textOf })),
});

function readChat(body: unknown): { system: string; prompt: string } | null {
  const parsed = chatBody.safeParse(body);
  if (!parsed.success) return null;
  const spoken = (role: string): string =>
    parsed.data.messages
      .filter((message) => message.role === role)
      .map((message) => message.content)
      .join('\n');
  return { system: (parsed.data.system ?? '') + spoken('system'), prompt: spoken('user') };
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
    open: () => chunk({ role: 'assistant', content: '' }),
    thought: (text) => chunk({ reasoning_content: text }),
    text: (text) => chunk({ content: text }),
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
  const reasons = { stop: 'end_turn', length: 'max_tokens', content_filter: 'refusal' };
  const message = {
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
    open: () =>
      named({ type: 'message_start', message }) +
      named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    thought: () => named({ type: 'ping' }),
    text: (text) =>
      named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
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

const contentBody = z.looseObject({
  systemInstruction: z.looseObject({ parts: textOf }).optional(),
  contents: z.array(z.object({ role: z.string(), parts: textOf })),
});

/** https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent */
const generateContent = (model: string): Protocol => {
  const chunk = (parts: object[], finishReason?: string): string =>
    event({
      candidates: [{ content: { role: 'model', parts }, index: 0, finishReason }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: model,
    });
  const reasons = { stop: 'STOP', length: 'MAX_TOKENS', content_filter: 'SAFETY' };
  const failure = (code: number, message: string) => ({
    error: { code, message, status: 'ERROR' },
  });
  return {
    open: () => '',
    thought: (text) => chunk([{ text, thought: true }]),
    text: (text) => chunk([{ text }]),
    finish: (reason) => chunk([{ text: '' }], reasons[reason]),
    error: (message) => event(failure(503, message)),
    refusal: failure,
    read: (body) => {
      const parsed = contentBody.safeParse(body);
      if (!parsed.success) return null;
      const { contents, systemInstruction } = parsed.data;
      return {
        system: systemInstruction?.parts ?? '',
        prompt: contents.map(({ parts }) => parts).join('\n'),
      };
    },
  };
};

const named = z.looseObject({ model: z.string() });

/** The protocol that a request is made in, by its path; null for none. */
export function protocolOf(path: string, body: unknown): Protocol | null {
  const google = /^\/v1beta\/models\/([^/:]+):streamGenerateContent\?alt=sse$/u.exec(path)?.[1];
  if (google !== undefined) return generateContent(decodeURIComponent(google));
  const model = named.safeParse(body).data?.model ?? '';
  if (path === '/v1/chat/completions') return chatCompletions(model);
  return path === '/v1/messages' ? messages(model) : null;
}

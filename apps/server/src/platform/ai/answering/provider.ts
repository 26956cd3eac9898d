import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  extractReasoningMiddleware,
  isStepCount,
  type LanguageModel,
  streamText,
  wrapLanguageModel,
} from 'ai';
import { z } from 'zod';
import { ModelUnavailable } from '../model-unavailable.ts';
import {
  OPENAI,
  OPENAI_MISSING,
  type OpenAiSettings,
  openAiServer,
  withoutTrailingSlash,
} from '../openai-server.ts';
import { type ChatModel, LOCAL_TIMEOUTS, type ModelPart, type ModelRequest } from './chat-model.ts';
import { OLLAMA_CONTEXT, ollamaChat } from './ollama.ts';

export interface AnswerModelSettings extends OpenAiSettings {
  /** auto | none | local:NAME-or-FILE | openai:MODEL | anthropic:MODEL | google:MODEL | ollama:MODEL */
  llm: string;
  anthropicApiKey?: string | undefined;
  anthropicBaseUrl?: string | undefined;
  googleApiKey?: string | undefined;
  googleBaseUrl?: string | undefined;
  ollamaBaseUrl: string;
}

type Wrappable = Parameters<typeof wrapLanguageModel>[0]['model'];

const ANTHROPIC = 'https://api.anthropic.com/v1';
const GOOGLE = 'https://generativelanguage.googleapis.com/v1beta';
const OLLAMA_OUTPUT_LIMIT = 1024;
/** Includes reasoning, so it is far above the tokens of an answer. */
const OUTPUT_LIMIT = 4000;
/** Low, so that a model follows the passages. Only for servers that accept it for every model. */
const TEMPERATURE = 0.1;
const HOSTED_TIMEOUTS = { firstTokenMs: 20_000, wholeMs: 90_000 };
const MAX_STEPS = 6;

// Otherwise the SDK prints a warning for each parameter that a provider ignores.
globalThis.AI_SDK_LOG_WARNINGS = false;

const hostOf = (address: string): string => new URL(address).host;

/** Some servers leave reasoning in the text. */
const withoutReasoning = (model: Wrappable): LanguageModel =>
  wrapLanguageModel({ model, middleware: extractReasoningMiddleware({ tagName: 'think' }) });

interface HostedModel {
  provider: string;
  name: string;
  location: string;
  model: LanguageModel;
  temperature?: number | undefined;
  /** The maximum tokens of an answer with its reasoning, and of a prompt. */
  outputLimit?: number;
  promptLimit?: number;
  timeouts?: ChatModel['timeouts'];
}

function hostedModel(hosted: HostedModel): ChatModel {
  const { provider, name, location, promptLimit = Infinity, timeouts = HOSTED_TIMEOUTS } = hosted;
  return {
    name,
    setting: `${provider}:${name}`,
    detail: `Answers come from ${name} ${location}.`,
    timeouts,
    supportsTools: true,
    canRewrite: true,
    promptBudget: async () => ({ prompt: promptLimit, evidence: promptLimit }),
    generate: (request) => generate(hosted, request),
  };
}

const blocked = z.looseObject({ promptFeedback: z.looseObject({ blockReason: z.string() }) });

/** Google's only sign of a refused prompt, besides a missing candidate. */
const isBlocked = (metadata: unknown): boolean => blocked.safeParse(metadata).success;

async function* generate(
  { model, temperature, outputLimit = OUTPUT_LIMIT }: HostedModel,
  { prompt, outputTokens = outputLimit, tools, task, signal }: ModelRequest,
): AsyncGenerator<ModelPart, void> {
  const { stream } = streamText({
    model,
    instructions: prompt.instructions,
    prompt: prompt.prompt,
    ...(tools === undefined ? {} : { tools: tools.set }),
    stopWhen: isStepCount(MAX_STEPS),
    prepareStep: ({ stepNumber }) =>
      stepNumber > 0 && (stepNumber === MAX_STEPS - 1 || tools?.spent())
        ? { toolChoice: 'none' }
        : {},
    maxOutputTokens: outputTokens,
    ...(temperature === undefined ? {} : { temperature }),
    maxRetries: 0,
    abortSignal: signal,
    // Errors are parts of the stream. By default they are also printed.
    onError: () => undefined,
  });
  for await (const part of stream) {
    if (part.type === 'text-delta') yield { text: part.text };
    else if (part.type === 'reasoning-delta' || part.type === 'tool-input-delta')
      yield { text: '' };
    else if (part.type === 'error') throw part.error;
    else if (part.type === 'finish-step') {
      if (isBlocked(part.providerMetadata?.['google'])) {
        throw new ModelUnavailable('refused', 'The model’s provider refused the request.');
      }
      if (part.finishReason === 'tool-calls') yield 'tools';
    } else if (part.type === 'finish') {
      if (part.finishReason === 'content-filter') {
        throw new ModelUnavailable('refused', `The model refused to ${task.verb}.`);
      }
      if (part.finishReason === 'interrupted') break;
      if (part.finishReason === 'length') yield 'cut';
      return;
    }
  }
  const message = `The connection ended in the middle of the model’s ${task.result}.`;
  throw new ModelUnavailable('malformed', message);
}

export function ollamaModel(name: string, baseUrl: string): ChatModel {
  const baseURL = withoutTrailingSlash(baseUrl);
  const ollama = createOpenAICompatible({
    name: 'ollama',
    baseURL,
    fetch: ollamaChat(baseURL),
  });
  return hostedModel({
    provider: 'ollama',
    name,
    location: `on Ollama at ${hostOf(baseUrl)}`,
    model: withoutReasoning(ollama.chatModel(name)),
    temperature: TEMPERATURE,
    outputLimit: OLLAMA_OUTPUT_LIMIT,
    promptLimit: OLLAMA_CONTEXT - OLLAMA_OUTPUT_LIMIT,
    timeouts: LOCAL_TIMEOUTS,
  });
}

/** OpenAI's newer models reject max_tokens, and other servers do not know its replacement. */
const renameMaxTokens = ({ max_tokens, ...body }: Record<string, unknown>) => ({
  ...body,
  max_completion_tokens: max_tokens,
});

/** Each provider's model, or a sentence that names the missing setting. */
const PROVIDERS: Readonly<
  Record<string, (name: string, settings: AnswerModelSettings) => ChatModel | string>
> = {
  openai(name, settings) {
    const server = openAiServer(settings);
    if (server === null) return OPENAI_MISSING;
    const { apiKey, baseUrl, host } = server;
    const isOpenAi = host === hostOf(OPENAI);
    const provider = createOpenAICompatible({
      name: 'openai',
      baseURL: baseUrl,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(isOpenAi ? { transformRequestBody: renameMaxTokens } : {}),
    });
    return hostedModel({
      provider: 'openai',
      name,
      location: `at ${host}`,
      model: withoutReasoning(provider.chatModel(name)),
      temperature: isOpenAi ? undefined : TEMPERATURE,
    });
  },

  anthropic(name, { anthropicApiKey: apiKey, anthropicBaseUrl = ANTHROPIC }) {
    if (apiKey === undefined) return 'anthropic:MODEL needs ANTHROPIC_API_KEY.';
    // Anthropic's other clients expect the address without /v1.
    const baseURL = anthropicBaseUrl.replace(/^(https?:\/\/[^/]+)\/?$/u, '$1/v1');
    const model = createAnthropic({ apiKey, baseURL })(name);
    return hostedModel({ provider: 'anthropic', name, location: `at ${hostOf(baseURL)}`, model });
  },

  google(name, { googleApiKey: apiKey, googleBaseUrl: baseURL = GOOGLE }) {
    if (apiKey === undefined) return 'google:MODEL needs GOOGLE_API_KEY.';
    const model = createGoogle({ apiKey, baseURL })(name);
    const location = `at ${baseURL === GOOGLE ? 'Google' : hostOf(baseURL)}`;
    return hostedModel({ provider: 'google', name, location, model });
  },

  ollama: (name, { ollamaBaseUrl }) => ollamaModel(name, ollamaBaseUrl),
};

export function namedModel(settings: AnswerModelSettings): ChatModel | string {
  const colon = settings.llm.indexOf(':');
  const provider = settings.llm.slice(0, colon);
  const build = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined;
  const name = settings.llm.slice(colon + 1).trim();
  if (build === undefined || name === '') return 'ENGRAM_LLM names an unknown provider.';
  return build(name, settings);
}

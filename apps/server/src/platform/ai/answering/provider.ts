import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { extractReasoningMiddleware, type LanguageModel, wrapLanguageModel } from 'ai';
import { LOCAL_TIMEOUTS } from './local-chat-model.ts';
import type { ChatModel } from './chat-model.ts';
import { OLLAMA_CONTEXT, ollamaChat } from './ollama-chat.ts';
import { generateHosted, type HostedModel } from './hosted-model.ts';

/** The settings that say which model answers; the names are those of the configuration. */
export interface AnswerModelSettings {
  /** auto | none | local:NAME-or-FILE | openai:MODEL | anthropic:MODEL | google:MODEL | ollama:MODEL */
  llm: string;
  openaiApiKey?: string | undefined;
  openaiBaseUrl?: string | undefined;
  anthropicApiKey?: string | undefined;
  anthropicBaseUrl?: string | undefined;
  googleApiKey?: string | undefined;
  googleBaseUrl?: string | undefined;
  ollamaBaseUrl: string;
}

type Fetch = typeof globalThis.fetch;
type Wrappable = Parameters<typeof wrapLanguageModel>[0]['model'];

const OPENAI = 'https://api.openai.com/v1';
const ANTHROPIC = 'https://api.anthropic.com/v1';
const GOOGLE = 'https://generativelanguage.googleapis.com/v1beta';
const OLLAMA_OUTPUT_LIMIT = 1024;
/** AnalysisThreads counts too, so this is far above what 120 words take. */
const OUTPUT_LIMIT = 4000;
/** Low, so that a model keeps to the passages; only for servers that let every model have it. */
const TEMPERATURE = 0.1;

// A provider that leaves a setting out is no news for whoever reads the server's output.
globalThis.AI_SDK_LOG_WARNINGS = false;

const hostOf = (address: string): string => new URL(address).host;

/** Thoughts that a server leaves in the text are not part of the answer. */
const withoutThoughts = (model: Wrappable): LanguageModel =>
  wrapLanguageModel({ model, middleware: extractReasoningMiddleware({ tagName: 'think' }) });

/** Timeouts of hosted models, in milliseconds. */
const HOSTED_TIMEOUTS = { firstTokenMs: 20_000, wholeMs: 90_000 };

interface HostedOptions extends HostedModel, Pick<ChatModel, 'name' | 'setting' | 'detail'> {
  timeouts?: ChatModel['timeouts'];
  /** Maximum tokens of a prompt. Default: no limit. */
  promptLimit?: number;
}

/** A model on a server that the AI SDK has a client for. */
function hostedModel({
  name,
  setting,
  detail,
  timeouts = HOSTED_TIMEOUTS,
  promptLimit = Infinity,
  ...model
}: HostedOptions): ChatModel {
  return {
    name,
    setting,
    detail,
    timeouts,
    supportsTools: true,
    canRewrite: true,
    promptBudget: async () => ({ prompt: promptLimit, evidence: promptLimit }),
    generate: (request) => generateHosted(model, request),
  };
}

/** A model of a local Ollama. */
export function ollamaModel(name: string, baseUrl: string, fetch: Fetch): ChatModel {
  const baseURL = baseUrl.replace(/(?<!\/)\/+$/u, '');
  const ollama = createOpenAICompatible({
    name: 'ollama',
    baseURL,
    fetch: ollamaChat(baseURL, fetch),
  });
  return hostedModel({
    model: withoutThoughts(ollama.chatModel(name)),
    name,
    setting: `ollama:${name}`,
    detail: `Answers come from ${name} on Ollama at ${hostOf(baseUrl)}.`,
    temperature: TEMPERATURE,
    outputLimit: OLLAMA_OUTPUT_LIMIT,
    promptLimit: OLLAMA_CONTEXT - OLLAMA_OUTPUT_LIMIT,
    timeouts: LOCAL_TIMEOUTS,
  });
}

/** Builds each provider's model, or says in a sentence which setting is missing. */
const PROVIDERS: Readonly<
  Record<string, (name: string, settings: AnswerModelSettings, fetch: Fetch) => ChatModel | string>
> = {
  openai(name, { openaiApiKey: apiKey, openaiBaseUrl }, fetch) {
    if (apiKey === undefined && openaiBaseUrl === undefined) {
      return 'openai:MODEL needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own.';
    }
    const baseURL = openaiBaseUrl ?? OPENAI;
    const own = hostOf(baseURL) === hostOf(OPENAI);
    const provider = createOpenAICompatible({
      name: 'openai',
      baseURL,
      fetch,
      ...(apiKey === undefined ? {} : { apiKey }),
      // OpenAI's newer models refuse max_tokens, and other servers do not know its successor.
      ...(own
        ? {
            transformRequestBody: ({ max_tokens, ...body }: Record<string, unknown>) => ({
              ...body,
              max_completion_tokens: max_tokens,
            }),
          }
        : {}),
    });
    return hostedModel({
      model: withoutThoughts(provider.chatModel(name)),
      name,
      setting: `openai:${name}`,
      detail: `Answers come from ${name} at ${hostOf(baseURL)}.`,
      temperature: own ? undefined : TEMPERATURE,
      outputLimit: OUTPUT_LIMIT,
    });
  },

  anthropic(name, { anthropicApiKey: apiKey, anthropicBaseUrl = ANTHROPIC }, fetch) {
    if (apiKey === undefined) return 'anthropic:MODEL needs ANTHROPIC_API_KEY.';
    // Other clients of this provider take the address without /v1.
    const baseURL = anthropicBaseUrl.replace(/^(https?:\/\/[^/]+)\/?$/u, '$1/v1');
    return hostedModel({
      model: createAnthropic({ apiKey, baseURL, fetch })(name),
      name,
      setting: `anthropic:${name}`,
      detail: `Answers come from ${name} at ${hostOf(baseURL)}.`,
      temperature: undefined,
      outputLimit: OUTPUT_LIMIT,
    });
  },

  google(name, { googleApiKey: apiKey, googleBaseUrl: baseURL = GOOGLE }, fetch) {
    if (apiKey === undefined) return 'google:MODEL needs GOOGLE_API_KEY.';
    return hostedModel({
      model: createGoogle({ apiKey, baseURL, fetch })(name),
      name,
      setting: `google:${name}`,
      detail: `Answers come from ${name} at ${baseURL === GOOGLE ? 'Google' : hostOf(baseURL)}.`,
      temperature: undefined,
      outputLimit: OUTPUT_LIMIT,
    });
  },

  ollama: (name, { ollamaBaseUrl }, fetch) => ollamaModel(name, ollamaBaseUrl, fetch),
};

/** The model that `llm` names (`provider:MODEL`), or a sentence that says what is missing. */
export function namedModel(settings: AnswerModelSettings, fetch: Fetch): ChatModel | string {
  const colon = settings.llm.indexOf(':');
  const provider = settings.llm.slice(0, colon);
  const build = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined;
  const name = settings.llm.slice(colon + 1).trim();
  if (build === undefined || name === '') return `ENGRAM_LLM names no provider that is known.`;
  return build(name, settings, fetch);
}

import { type Answer, createCitationVerifier, type Passage } from '@engram/retrieval';
import type { FastifyBaseLogger } from 'fastify';
import { type Clock, systemClock } from './clock.ts';
import { modelText } from './model-text.ts';
import { ModelUnavailable } from './model-unavailable.ts';
import { createOllamaFinder, type OllamaFinder } from './ollama.ts';
import { buildPrompt } from './prompt.ts';
import { type AnswerModelSettings, type ChatModel, namedModel, ollamaModel } from './provider.ts';

export { ModelUnavailable, type UnavailableReason } from './model-unavailable.ts';
export type { AnswerModelSettings } from './provider.ts';

export interface AnswerRequest {
  question: string;
  /** Best first; those that do not fit the budget are cut or left out from the end. */
  passages: readonly Passage[];
  /** The question and answer that this one follows up on. */
  previous?: { question: string; answer: string } | undefined;
  /** Most tokens of the whole prompt, as estimated. */
  tokenBudget: number;
  /** The caller went away: the request to the model ends, and the signal's reason is thrown. */
  signal: AbortSignal;
}

export type AnswerEvent =
  /** Text that was checked and may be shown; the deltas together are the answer's markdown. */
  | { type: 'delta'; text: string }
  /** `grounded` is false when the model found nothing, or nothing it said could be verified. */
  | { type: 'done'; answer: Answer };

export interface AnswerModel {
  /** What answers, or in a sentence why nothing does; asked before each question. */
  describe(): { on: boolean; detail: string };
  /** @throws ModelUnavailable also after some deltas: then they are no answer. */
  answer(request: AnswerRequest): AsyncGenerator<AnswerEvent, void>;
  /** Settles when the look for a local model that is under way has ended. */
  settled(): Promise<void>;
}

export interface AnswerModelOptions {
  fetch?: typeof globalThis.fetch;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  clock?: Clock;
}

const REFUSAL =
  /\b(?:can(?:no|['’])t|unable to|not able to|won['’]t|will not|must decline to)\s+(?:help|assist|comply|fulfil|discuss|engage|continue|do that)/iu;

/** The model that writes answers; null when none is wanted. */
export function createAnswerModel(
  settings: AnswerModelSettings,
  { fetch = globalThis.fetch, log, clock = systemClock }: AnswerModelOptions,
): AnswerModel | null {
  if (settings.llm === 'none') return null;
  const { ollamaBaseUrl } = settings;
  const finder =
    settings.llm === 'auto' ? createOllamaFinder({ baseUrl: ollamaBaseUrl, fetch, clock }) : null;
  const named = finder === null ? namedModel(settings, fetch) : null;

  /** The model to ask now, or why there is none. */
  function current(): ChatModel | string {
    if (finder === null) return named ?? 'No model is set.';
    const found = finder.current();
    if (found.state === 'found') return ollamaModel(found.model, ollamaBaseUrl, fetch);
    return absence(found.state, new URL(ollamaBaseUrl).host);
  }

  async function* answer(request: AnswerRequest): AsyncGenerator<AnswerEvent, void> {
    const chat = current();
    if (typeof chat === 'string') throw new ModelUnavailable('down', chat);
    try {
      yield* verifiedAnswer(chat, request, clock);
    } catch (error) {
      if (error instanceof ModelUnavailable) noteFailure(error, finder, log);
      throw error;
    }
  }

  return {
    describe() {
      const chat = current();
      return typeof chat === 'string'
        ? { on: false, detail: chat }
        : { on: true, detail: chat.detail };
    },
    answer,
    settled: async () => finder?.settled(),
  };
}

function absence(state: 'looking' | 'absent' | 'empty', host: string): string {
  switch (state) {
    case 'looking':
      return `Ollama is being looked for at ${host}.`;
    case 'absent':
      return `There is no Ollama at ${host}, and ENGRAM_LLM names no other model.`;
    case 'empty':
      return `Ollama at ${host} has no model that can answer; 'ollama pull' fetches one.`;
  }
}

function noteFailure(
  error: ModelUnavailable,
  finder: OllamaFinder | null,
  log: AnswerModelOptions['log'],
): void {
  if (error.reason === 'down') finder?.doubt();
  // A provider's own message may repeat the prompt, and with it what is in somebody's files.
  const status: unknown =
    error.cause instanceof Error && 'statusCode' in error.cause
      ? error.cause.statusCode
      : undefined;
  log.warn({ reason: error.reason, status }, error.message);
}

/** Asks the model and lets through only what its passages support. */
async function* verifiedAnswer(
  chat: ChatModel,
  request: AnswerRequest,
  clock: Clock,
): AsyncGenerator<AnswerEvent, void> {
  const { question, previous, signal } = request;
  const tokenBudget = Math.min(request.tokenBudget, chat.promptLimit);
  const prompt = buildPrompt({ ...request, tokenBudget });
  const asked = previous === undefined ? question : `${previous.question}\n${question}`;
  const verifier = createCitationVerifier(asked, prompt.passages);
  let said = '';
  for await (const text of modelText({ chat, prompt, clock, signal })) {
    said += text;
    const shown = verifier.push(text);
    if (shown !== '') yield { type: 'delta', text: shown };
  }
  const { rest, answer } = verifier.end();
  if (said.trim() === '') throw new ModelUnavailable('malformed', 'The model gave no answer.');
  if (!answer.grounded && REFUSAL.test(said)) {
    throw new ModelUnavailable('refused', 'The model refused to answer.');
  }
  if (rest !== '') yield { type: 'delta', text: rest };
  yield { type: 'done', answer };
}

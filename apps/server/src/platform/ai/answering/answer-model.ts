import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Answer,
  createCitationVerifier,
  type EarlierTurn,
  type Passage,
} from '@engram/retrieval';
import type { FastifyBaseLogger } from 'fastify';
import { type Clock, systemClock } from '../clock.ts';
import { modelText } from './model-text.ts';
import { ModelUnavailable } from '../model-unavailable.ts';
import { createOllamaFinder, type OllamaFinder } from './ollama.ts';
import { buildPrompt, buildSearchPrompt, searchesIn } from './prompt.ts';
import { type AnswerModelSettings, type ChatModel, namedModel, ollamaModel } from './provider.ts';

export { ModelUnavailable, type UnavailableReason } from '../model-unavailable.ts';
export type { AnswerModelSettings } from './provider.ts';

interface Asked {
  /** As the person put it. */
  question: string;
  /** The question made whole with what was asked before. */
  about: string;
  /** What was asked and answered before, oldest first. */
  earlier: readonly EarlierTurn[];
  /** The caller went away: the request to the model ends, and the signal's reason is thrown. */
  signal: AbortSignal;
}

export interface AnswerRequest extends Asked {
  /** What the question asks for, where it is several things; else empty. */
  parts: readonly string[];
  /** Best first; those that do not fit the budget are cut or left out from the end. */
  passages: readonly Passage[];
  /** Most tokens of the whole prompt, as estimated. */
  tokenBudget: number;
}

export interface SearchWordsRequest extends Asked {
  /** ISO 639-1, the languages of the files. */
  languages: readonly string[];
}

export type AnswerEvent =
  /** Text that was checked and may be shown; the deltas together are the answer's markdown. */
  | { type: 'delta'; text: string }
  /**
   * `grounded` is false when the model found nothing, or, with `unverified`, nothing that it said
   * could be verified.
   */
  | { type: 'done'; answer: Answer; unverified: boolean };

export interface AnswerModel {
  /** What answers, or in a sentence why nothing does; asked before each question. */
  describe(): { on: boolean; detail: string };
  /** @throws ModelUnavailable also after some deltas: then they are no answer. */
  answer(request: AnswerRequest): AsyncGenerator<AnswerEvent, void>;
  /**
   * At most three other searches for a question that the first one did not answer.
   * @throws ModelUnavailable
   */
  searchWords(request: SearchWordsRequest): Promise<string[]>;
  /** Settles when the look for a local model that is under way has ended. */
  settled(): Promise<void>;
}

export interface AnswerModelOptions {
  fetch?: typeof globalThis.fetch;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  clock?: Clock;
}

/** Bounds on the words for another search: milliseconds, tokens with those of thinking, UTF-16 units. */
const SEARCH_WORDS_MS = 10_000;
const SEARCH_TOKENS = 1000;
const SEARCH_LENGTH = 1000;

/**
 * UTF-16 units of an answer that are checked in one turn of the loop: a sentence of them takes some
 * milliseconds at most, and a model may send thousands at once. What it says beyond the most is not
 * read: that is twenty times what an answer shows.
 */
const CHECKED_AT_ONCE = 400;
const MOST_SAID = 20_000;

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

  /** The model to ask, or else the reason why there is none, thrown. */
  function available(): ChatModel {
    const chat = current();
    if (typeof chat === 'string') throw new ModelUnavailable('down', chat);
    return chat;
  }

  async function* answer(request: AnswerRequest): AsyncGenerator<AnswerEvent, void> {
    const chat = available();
    try {
      yield* verifiedAnswer(chat, request, clock);
    } catch (error) {
      if (error instanceof ModelUnavailable) noteFailure(error, finder, log);
      throw error;
    }
  }

  async function searchWords(request: SearchWordsRequest): Promise<string[]> {
    const { question, signal } = request;
    const chat = available();
    const prompt = buildSearchPrompt({ ...request, tokenBudget: SEARCH_TOKENS });
    let said = '';
    try {
      const limits = { wholeMs: SEARCH_WORDS_MS, outputTokens: SEARCH_TOKENS };
      for await (const text of modelText({ chat, prompt, limits, clock, signal })) {
        said += text;
        if (said.length > SEARCH_LENGTH) break;
      }
    } catch (error) {
      if (error instanceof ModelUnavailable) noteFailure(error, finder, log);
      throw error;
    }
    return searchesIn(said, question);
  }

  return {
    describe() {
      const chat = current();
      return typeof chat === 'string'
        ? { on: false, detail: chat }
        : { on: true, detail: chat.detail };
    },
    answer,
    searchWords,
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
  const { question, about, earlier, signal } = request;
  const tokenBudget = Math.min(request.tokenBudget, chat.promptLimit);
  const prompt = buildPrompt({ ...request, tokenBudget });
  const asked = [...earlier.map((turn) => turn.question), about, question].join('\n');
  const verifier = createCitationVerifier(asked, prompt.passages);
  let said = '';
  for await (const text of modelText({ chat, prompt, clock, signal })) {
    const taken = text.slice(0, MOST_SAID - said.length);
    said += taken;
    for (let at = 0; at < taken.length; at += CHECKED_AT_ONCE) {
      if (at > 0) await nextTurn();
      const shown = verifier.push(taken.slice(at, at + CHECKED_AT_ONCE));
      if (shown !== '') yield { type: 'delta', text: shown };
    }
    if (said.length >= MOST_SAID) break;
  }
  const { rest, answer, unverified } = verifier.end();
  if (said.trim() === '') throw new ModelUnavailable('malformed', 'The model gave no answer.');
  if (!answer.grounded && REFUSAL.test(said)) {
    throw new ModelUnavailable('refused', 'The model refused to answer.');
  }
  if (rest !== '') yield { type: 'delta', text: rest };
  yield { type: 'done', answer, unverified };
}

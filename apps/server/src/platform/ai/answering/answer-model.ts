import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Answer, createCitationVerifier, type EarlierTurn } from '@engram/retrieval';
import type { FastifyBaseLogger } from 'fastify';
import { type Clock, systemClock } from '../../clock.ts';
import type { ModelStore } from '../local/model-store.ts';
import { logFailure, ModelUnavailable } from '../model-unavailable.ts';
import { createEvidenceBudget, estimateTokens, type EvidenceItem } from './evidence-budget.ts';
import { modelText, refusesTools, wholeText } from './model-text.ts';
import {
  askedOf,
  buildPrompt,
  buildRewritePrompt,
  instructionsFor,
  type ProposedQuestion,
  proposedIn,
  PROPOSAL_INSTRUCTIONS,
  rewrittenIn,
} from './prompt.ts';
import type { ChatModel } from './chat-model.ts';
import { createModelChoice } from './model-choice.ts';
import type { AnswerModelSettings } from './provider.ts';
import { createToolSet, type ModelTool, toolTokens } from './tool-set.ts';

interface ConversationRequest {
  question: string;
  /** The earlier turns of the conversation, oldest first. */
  earlier: readonly EarlierTurn[];
  userId: string;
  /** Aborted when the caller leaves: the request to the model ends, and the reason is thrown. */
  signal: AbortSignal;
}

export interface AnswerRequest extends ConversationRequest {
  /** The question with what it refers to in earlier turns. */
  about: string;
  /** Best first; what does not fit the budget is cut or left out from the end. */
  evidence: readonly EvidenceItem[];
  tools: readonly ModelTool[];
  /** Maximum tokens of a prompt with all tool results, as estimated. */
  tokenBudget: number;
  /** The languages of the files (ISO 639-1), most used first. */
  languages: readonly string[];
  today: string;
}

export type AnswerEvent =
  /** What the answer waits for, as a sentence without its full stop. */
  | { type: 'step'; text: string }
  /** Verified text. The deltas together are the answer's Markdown. */
  | { type: 'delta'; text: string }
  /**
   * `grounded` is false when the model found nothing or, with `unverified`, nothing that it said could
   * be verified. `withheld`: it repeated what a file tells a model to say. `shown` is its evidence.
   */
  | {
      type: 'done';
      answer: Answer;
      unverified: boolean;
      withheld: boolean;
      shown: readonly EvidenceItem[];
    };

/** Limits of rewriting a question: milliseconds, tokens with reasoning, and UTF-16 units. */
const REWRITING = { wholeMs: 4000, outputTokens: 400 };
const REWRITING_LENGTH = 1000;

/** Limits of proposing questions: estimated tokens, milliseconds, and UTF-16 units. */
const PROPOSAL = {
  passageTokens: 3000,
  limits: { wholeMs: 120_000, outputTokens: 1500 },
  length: 8000,
};

/** With fewer tokens no tool result would fit beside the first passages. */
const TOOLS_FROM_TOKENS = 6000;

/**
 * UTF-16 units of an answer that are verified in one turn of the event loop, and that are read at all. A
 * sentence takes some milliseconds to verify, and a model may send thousands at once.
 */
const CHECKED_AT_ONCE = 400;
const MAX_SAID = 20_000;

const REFUSAL =
  /\b(?:can(?:no|['’])t|unable to|not able to|won['’]t|will not|must decline to)\s+(?:help|assist|comply|fulfil|discuss|engage|continue|do that)/iu;

export function createAnswerModel(
  settings: AnswerModelSettings,
  {
    log,
    clock = systemClock,
    store = null,
  }: {
    log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
    clock?: Clock;
    store?: ModelStore | null;
  },
) {
  if (settings.llm === 'none') return null;
  const choice = createModelChoice(settings, clock, store);
  const { current } = choice;

  function noteFailure(error: ModelUnavailable): void {
    if (error.reason === 'down') choice.recheck?.();
    logFailure(error, log);
  }

  let proposing = new AbortController();

  /** Questions that passages answer; none if the model is not loaded. Answers interrupt it. */
  async function propose(request: {
    userId: string;
    passages: readonly EvidenceItem[];
  }): Promise<ProposedQuestion[]> {
    const chat = current();
    if (typeof chat === 'string' || chat.local?.isLoaded() === false) return [];
    proposing = new AbortController();
    const { signal } = proposing;
    try {
      const { evidence } = await chat.promptBudget(PROPOSAL_INSTRUCTIONS, signal);
      const budget = createEvidenceBudget(Math.min(evidence, PROPOSAL.passageTokens));
      const shown = budget.add(request.passages);
      const prompt = {
        instructions: PROPOSAL_INSTRUCTIONS,
        prompt: shown,
        passages: budget.shown.length,
      };
      const { limits, length } = PROPOSAL;
      const asked = { chat, prompt, group: request.userId, limits, clock, signal };
      return proposedIn(await wholeText(asked, length), budget.shown);
    } catch (error) {
      if (signal.aborted) return [];
      if (!(error instanceof ModelUnavailable)) throw error;
      noteFailure(error);
      return [];
    }
  }

  const toolless = new Set<string>();

  /** @throws ModelUnavailable, also after some deltas, which are no answer then */
  async function* answer(request: AnswerRequest): AsyncGenerator<AnswerEvent, void> {
    proposing.abort();
    const chat = current();
    if (typeof chat === 'string') throw new ModelUnavailable('down', chat);
    const maySearch = chat.supportsTools && !toolless.has(chat.detail) && request.tools.length > 0;
    let tools: readonly ModelTool[] = [];
    try {
      if (chat.local?.isLoaded() === false) yield { type: 'step', text: `Loading ${chat.name}…` };
      const budget = await chat.promptBudget(instructionsFor(maySearch), request.signal);
      const tokenBudget = Math.min(request.tokenBudget, budget.prompt);
      if (maySearch && tokenBudget >= TOOLS_FROM_TOKENS) ({ tools } = request);
      yield* verifiedAnswer(chat, { ...request, tools, tokenBudget }, budget.evidence, clock);
    } catch (error) {
      if (tools.length > 0 && refusesTools(error)) {
        toolless.add(chat.detail);
        yield* answer(request);
        return;
      }
      if (error instanceof ModelUnavailable) noteFailure(error);
      throw error;
    }
  }

  /** A follow-up as a question that can be understood alone; null if the model makes none in time. */
  async function rewrite(request: ConversationRequest): Promise<string | null> {
    const { signal } = request;
    const chat = current();
    if (typeof chat === 'string' || !chat.canRewrite) return null;
    const prompt = buildRewritePrompt(request);
    const asked = { chat, prompt, group: request.userId, limits: REWRITING, clock, signal };
    try {
      const said = await wholeText(asked, REWRITING_LENGTH);
      return said.length > REWRITING_LENGTH ? null : rewrittenIn(said);
    } catch (error) {
      if (!(error instanceof ModelUnavailable)) throw error;
      noteFailure(error);
      return null;
    }
  }

  return {
    /** What answers, or in a sentence why nothing does; asked before each question. */
    describe(): { on: boolean; detail: string } {
      const chat = current();
      const on = typeof chat !== 'string';
      return { on, detail: on ? chat.detail : chat };
    },
    current(): ChatModel | null {
      const chat = current();
      return typeof chat === 'string' ? null : chat;
    },
    ollamaModels: (): readonly string[] => choice.ollamaModels?.() ?? [],
    answer,
    rewrite,
    propose,
    settled: async (): Promise<void> => choice.settled?.(),
    async close(): Promise<void> {
      proposing.abort();
      await choice.close?.();
    },
  };
}

export type AnswerModel = NonNullable<ReturnType<typeof createAnswerModel>>;

async function* verifiedAnswer(
  chat: ChatModel,
  request: AnswerRequest,
  evidenceTokens: number,
  clock: Clock,
): AsyncGenerator<AnswerEvent, void> {
  const { question, about, earlier, evidence, signal, tools, tokenBudget } = request;
  const whole = askedOf(request, tokenBudget);
  const withTools = tools.length > 0;
  const taken = estimateTokens(instructionsFor(withTools) + whole) + toolTokens(tools);
  const budget = createEvidenceBudget(Math.min(tokenBudget - taken, evidenceTokens));
  const prompt = buildPrompt({ asked: whole, evidence, tools: withTools }, budget);
  const asked = [...earlier.map((turn) => turn.question), about, question].join('\n');
  const verifier = createCitationVerifier(asked, []);
  let known = 0;
  // Each takes some milliseconds, so other work may run in between.
  const onShown = async (): Promise<void> => {
    for (; known < budget.shown.length; await nextTurn()) {
      const item = budget.shown[known];
      known += 1;
      if (item !== undefined) verifier.add(item);
    }
  };
  await onShown();
  let said = '';
  let cut = false;
  const lookups = withTools ? createToolSet(tools, budget, signal, onShown) : undefined;
  const group = request.userId;
  for await (const part of modelText({ chat, prompt, tools: lookups, group, clock, signal })) {
    if (part === 'waiting') {
      yield { type: 'step', text: 'Waiting for the question before yours…' };
    } else if (part === 'tools') {
      const shown = verifier.pause();
      if (shown !== '') yield { type: 'delta', text: shown };
    } else if (part === 'cut') cut = true;
    if (typeof part === 'string') continue;
    const text = part.text.slice(0, MAX_SAID - said.length);
    said += text;
    for (let at = 0; at < text.length; at += CHECKED_AT_ONCE) {
      if (at > 0) await nextTurn();
      const shown = verifier.push(text.slice(at, at + CHECKED_AT_ONCE));
      if (shown !== '') yield { type: 'delta', text: shown };
    }
    if (said.length >= MAX_SAID) break;
  }
  const { rest, answer, unverified, withheld } = verifier.end(cut || said.length >= MAX_SAID);
  if (said.trim() === '') throw new ModelUnavailable('malformed', 'The model gave no answer.');
  if (!answer.grounded && REFUSAL.test(said)) {
    throw new ModelUnavailable('refused', 'The model refused to answer.');
  }
  if (rest !== '') yield { type: 'delta', text: rest };
  yield { type: 'done', answer, unverified, withheld, shown: budget.shown };
}

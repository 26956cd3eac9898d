import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Answer, createCitationVerifier, type EarlierTurn } from '@engram/retrieval';
import type { FastifyBaseLogger } from 'fastify';
import { type Clock, systemClock } from '../../clock.ts';
import type { ModelStore } from '../local/model-store.ts';
import { logFailure, ModelUnavailable } from '../model-unavailable.ts';
import { createEvidenceBudget, estimateTokens, type EvidenceItem } from './evidence-budget.ts';
import { modelText, refusesTools, wholeText } from './model-text.ts';
import {
  buildPrompt,
  buildRewritePrompt,
  buildUserPrompt,
  instructionsFor,
  parseProposals,
  parseRewrite,
  PROPOSAL_INSTRUCTIONS,
  type ProposedQuestion,
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
  /** Ends the request to the model. Its reason is thrown. */
  signal: AbortSignal;
}

export interface AnswerRequest extends ConversationRequest {
  /** The question, with references to earlier turns resolved. */
  about: string;
  /** Best first. The end is cut if it does not fit the budget. */
  evidence: readonly EvidenceItem[];
  tools: readonly ModelTool[];
  /** The maximum estimated tokens of a prompt with all tool results. */
  tokenBudget: number;
  /** The languages of the files (ISO 639-1), most used first. */
  languages: readonly string[];
  today: string;
}

export type AnswerEvent =
  /** A progress message. */
  | { type: 'step'; text: string }
  /** Verified text. The deltas together are the answer's Markdown. */
  | { type: 'delta'; text: string }
  /**
   * `grounded` is false if the model found no answer, or nothing it wrote could be verified
   * (`unverified`). `withheld`: it repeated an instruction from a file. `shown` is its evidence.
   */
  | {
      type: 'done';
      answer: Answer;
      unverified: boolean;
      withheld: boolean;
      shown: readonly EvidenceItem[];
    };

/** The limits of rewriting a question: milliseconds, tokens with reasoning, and UTF-16 units. */
const REWRITING = { wholeMs: 4000, outputTokens: 400 };
const REWRITING_LENGTH = 1000;

/** The limits of proposing questions: estimated tokens, milliseconds, and UTF-16 units. */
const PROPOSAL = {
  passageTokens: 3000,
  limits: { wholeMs: 120_000, outputTokens: 1500 },
  length: 8000,
};

/** With fewer tokens, no tool results would fit besides the first passages. */
const TOOLS_FROM_TOKENS = 6000;

/**
 * The UTF-16 units that are verified without yielding to the event loop, and the maximum of an answer. A
 * sentence takes a few milliseconds, and a model may send thousands at once.
 */
const VERIFIED_UNITS = 400;
const MAX_UNITS = 20_000;

const REFUSAL =
  /\b(?:can(?:no|['’])t|unable to|not able to|won['’]t|will not|must decline to)\s+(?:help|assist|comply|fulfill?|discuss|engage|continue|do that)/iu;

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

  /** Questions that passages answer; none if the model is not loaded. An answer interrupts this call. */
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
      const passages = budget.add(request.passages);
      const prompt = {
        instructions: PROPOSAL_INSTRUCTIONS,
        prompt: passages,
        passages: budget.shown.length,
      };
      const { limits, length } = PROPOSAL;
      const options = { chat, prompt, group: request.userId, limits, clock, signal };
      return parseProposals(await wholeText(options, length), budget.shown);
    } catch (error) {
      if (signal.aborted) return [];
      if (!(error instanceof ModelUnavailable)) throw error;
      noteFailure(error);
      return [];
    }
  }

  const withoutTools = new Set<string>();

  /** @throws ModelUnavailable, possibly after some deltas, which must be discarded */
  async function* answer(request: AnswerRequest): AsyncGenerator<AnswerEvent, void> {
    proposing.abort();
    const chat = current();
    if (typeof chat === 'string') throw new ModelUnavailable('down', chat);
    const maySearch =
      chat.supportsTools && !withoutTools.has(chat.detail) && request.tools.length > 0;
    let tools: readonly ModelTool[] = [];
    try {
      if (chat.local?.isLoaded() === false) yield { type: 'step', text: `Loading ${chat.name}…` };
      const budget = await chat.promptBudget(instructionsFor(maySearch), request.signal);
      const tokenBudget = Math.min(request.tokenBudget, budget.prompt);
      if (maySearch && tokenBudget >= TOOLS_FROM_TOKENS) ({ tools } = request);
      yield* verifiedAnswer(chat, { ...request, tools, tokenBudget }, budget.evidence, clock);
    } catch (error) {
      if (tools.length > 0 && refusesTools(error)) {
        withoutTools.add(chat.detail);
        yield* answer(request);
        return;
      }
      if (error instanceof ModelUnavailable) noteFailure(error);
      throw error;
    }
  }

  /** A follow-up, rewritten as a standalone question; null if the model fails or is too slow. */
  async function rewrite(request: ConversationRequest): Promise<string | null> {
    const { signal } = request;
    const chat = current();
    if (typeof chat === 'string' || !chat.canRewrite) return null;
    const prompt = buildRewritePrompt(request);
    const options = { chat, prompt, group: request.userId, limits: REWRITING, clock, signal };
    try {
      const output = await wholeText(options, REWRITING_LENGTH);
      return output.length > REWRITING_LENGTH ? null : parseRewrite(output);
    } catch (error) {
      if (!(error instanceof ModelUnavailable)) throw error;
      noteFailure(error);
      return null;
    }
  }

  return {
    /** The model that answers, or a sentence that says why none does. */
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
  const userPrompt = buildUserPrompt(request, tokenBudget);
  const withTools = tools.length > 0;
  const usedTokens = estimateTokens(instructionsFor(withTools) + userPrompt) + toolTokens(tools);
  const budget = createEvidenceBudget(Math.min(tokenBudget - usedTokens, evidenceTokens));
  const prompt = buildPrompt({ userPrompt, evidence, tools: withTools }, budget);
  const questions = [...earlier.map((turn) => turn.question), about, question].join('\n');
  const verifier = createCitationVerifier(questions, []);
  let added = 0;
  const onShown = async (): Promise<void> => {
    for (; added < budget.shown.length; await yieldToEventLoop()) {
      const item = budget.shown[added];
      added += 1;
      if (item !== undefined) verifier.add(item);
    }
  };
  await onShown();
  let output = '';
  let isCut = false;
  const lookups = withTools ? createToolSet(tools, budget, signal, onShown) : undefined;
  const group = request.userId;
  for await (const part of modelText({ chat, prompt, tools: lookups, group, clock, signal })) {
    if (part === 'waiting') {
      yield { type: 'step', text: 'Waiting for another question to finish…' };
    } else if (part === 'tools') {
      const verified = verifier.pause();
      if (verified !== '') yield { type: 'delta', text: verified };
    } else if (part === 'cut') isCut = true;
    if (typeof part === 'string') continue;
    const text = part.text.slice(0, MAX_UNITS - output.length);
    output += text;
    for (let start = 0; start < text.length; start += VERIFIED_UNITS) {
      if (start > 0) await yieldToEventLoop();
      const verified = verifier.push(text.slice(start, start + VERIFIED_UNITS));
      if (verified !== '') yield { type: 'delta', text: verified };
    }
    if (output.length >= MAX_UNITS) break;
  }
  const { rest, answer, unverified, withheld } = verifier.end(isCut || output.length >= MAX_UNITS);
  if (output.trim() === '')
    throw new ModelUnavailable('malformed', 'The model returned no answer.');
  if (!answer.grounded && REFUSAL.test(output)) {
    throw new ModelUnavailable('refused', 'The model refused to answer.');
  }
  if (rest !== '') yield { type: 'delta', text: rest };
  yield { type: 'done', answer, unverified, withheld, shown: budget.shown };
}

import type { LocalModel } from '../local/local-model.ts';
import type { ChatModel, ModelPart, ModelRequest } from './chat-model.ts';
import { estimateTokens } from './fences.ts';

/** Low, so that the model follows the passages closely. */
const TEMPERATURE = 0.1;
/** Maximum tokens of an answer: 400 words in a language that takes many. */
const OUTPUT_LIMIT = 700;
/** The evidence is limited to what the model evaluates in this time on a CPU, in seconds. */
const EVALUATION_SECONDS = 15;
/** Minimum tokens of evidence: with less a model rarely finds an answer. */
const MIN_EVIDENCE = 600;
/** Tokens for the question and the conversation, beside the instructions. */
const QUESTION_TOKENS = 1000;

/** Timeouts of models that run on the user's own machine, in milliseconds. */
export const LOCAL_TIMEOUTS = { firstTokenMs: 120_000, wholeMs: 300_000 };

export function localChatModel(name: string, local: LocalModel): ChatModel {
  return {
    name,
    setting: `local:${name}`,
    detail: `Answers come from ${name} on this machine.`,
    supportsTools: false,
    canRewrite: false,
    timeouts: LOCAL_TIMEOUTS,
    local,

    async promptBudget(instructions, signal) {
      const { contextTokens, readsPerSecond, gpu } = await local.load(instructions, signal);
      const prompt = contextTokens - OUTPUT_LIMIT;
      const most = prompt - estimateTokens(instructions) - QUESTION_TOKENS;
      const quick = Math.max(MIN_EVIDENCE, Math.floor(readsPerSecond * EVALUATION_SECONDS));
      return { prompt, evidence: gpu ? most : Math.min(most, quick) };
    },

    async *generate({
      prompt,
      outputTokens,
      group,
      signal,
    }: ModelRequest): AsyncGenerator<ModelPart> {
      if (typeof prompt.prompt !== 'string') throw new Error('The model accepts text only.');
      yield* local.generate({
        instructions: prompt.instructions,
        prompt: prompt.prompt,
        citations: prompt.passages ?? null,
        outputTokens: outputTokens ?? OUTPUT_LIMIT,
        temperature: TEMPERATURE,
        group,
        signal,
      });
    },
  };
}

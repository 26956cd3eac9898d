import type { LocalModel } from '../local/local-model.ts';
import type { ChatModel, ModelPart, ModelRequest } from './chat-model.ts';
import { estimateTokens } from './fences.ts';

/** Low, so that it keeps to the passages. */
const TEMPERATURE = 0.1;
/** Most tokens of an answer: 400 words in a language that takes many. */
const OUTPUT_LIMIT = 700;
/** How long people wait until a model has read what it is shown, in seconds. */
const PATIENCE_SECONDS = 15;
/** A model is shown so many tokens however slow it is: with less it can answer hardly anything. */
const LEAST_EVIDENCE = 600;
/** Left for the question and what was asked before, beside the instructions. */
const QUESTION_TOKENS = 1000;

/** What a processor at home may take to read and to write, in milliseconds. */
export const AT_HOME = { firstTokenMs: 120_000, wholeMs: 300_000 };

/** A language model in the box: it runs on this machine, in a process of its own. */
export function boxModel(name: string, local: LocalModel): ChatModel {
  return {
    name,
    setting: `local:${name}`,
    detail: `Answers come from ${name} on this machine.`,
    tools: false,
    rewrites: false,
    patience: AT_HOME,
    asleep: () => !local.loaded(),
    measured: local.measured,

    async room(instructions, signal) {
      const { contextTokens, readsPerSecond, gpu } = await local.load(instructions, signal);
      const prompt = contextTokens - OUTPUT_LIMIT;
      const most = prompt - estimateTokens(instructions) - QUESTION_TOKENS;
      const bearable = Math.max(LEAST_EVIDENCE, Math.floor(readsPerSecond * PATIENCE_SECONDS));
      return { prompt, evidence: gpu ? most : Math.min(most, bearable) };
    },

    async *ask({ prompt, outputTokens, group, signal }: ModelRequest): AsyncGenerator<ModelPart> {
      if (typeof prompt.prompt !== 'string') throw new Error('It reads text alone.');
      yield* local.say({
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

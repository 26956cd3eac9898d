import { isStepCount, type LanguageModel, streamText } from 'ai';
import { z } from 'zod';
import { ModelUnavailable } from '../model-unavailable.ts';
import type { ModelPart, ModelRequest } from './chat-model.ts';

/** Requests for one answer at most: in all but the last the model may look something up. */
const MOST_STEPS = 6;

const blocked = z.looseObject({ promptFeedback: z.looseObject({ blockReason: z.string() }) });

/** Google says of a prompt it will not answer only this, and ends without a candidate. */
const isBlocked = (metadata: unknown): boolean => blocked.safeParse(metadata).success;

export interface HostedModel {
  model: LanguageModel;
  temperature: number | undefined;
  /** Most tokens of an answer, those of thinking included. */
  outputLimit: number;
}

/** Asks a model of a provider once. */
export async function* generateHosted(
  { model, temperature, outputLimit }: HostedModel,
  { prompt, outputTokens = outputLimit, tools, task, signal }: ModelRequest,
): AsyncGenerator<ModelPart, void> {
  const { stream } = streamText({
    model,
    instructions: prompt.instructions,
    prompt: prompt.prompt,
    ...(tools === undefined ? {} : { tools: tools.set }),
    stopWhen: isStepCount(MOST_STEPS),
    prepareStep: ({ stepNumber }) =>
      stepNumber > 0 && (stepNumber === MOST_STEPS - 1 || tools?.spent())
        ? { toolChoice: 'none' }
        : {},
    maxOutputTokens: outputTokens,
    ...(temperature === undefined ? {} : { temperature }),
    maxRetries: 0,
    abortSignal: signal,
    // Errors come as parts of the stream; without this they are printed as well.
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
      if (part.finishReason === 'tool-calls') yield 'looks';
    } else if (part.type === 'finish') {
      if (part.finishReason === 'content-filter') {
        throw new ModelUnavailable('refused', `The model refused to ${task.verb}.`);
      }
      if (part.finishReason === 'interrupted') break;
      if (part.finishReason === 'length') yield 'cut';
      return;
    }
  }
  throw new ModelUnavailable(
    'malformed',
    `The model broke off in the middle of its ${task.result}.`,
  );
}

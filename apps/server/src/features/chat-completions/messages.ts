import { QUESTION_LIMIT, searchBody } from '@engram/contract';
import { z } from 'zod';
import { HttpError } from '../../platform/http/errors.ts';
import { parseInput } from '../../platform/http/mount.ts';

export const MODEL = 'engram';

const MESSAGES_LIMIT = 1000;

const text = z.object({ type: z.literal('text'), text: z.string() });
const other = z.object({ type: z.string() });

const message = z.object({
  role: z.string(),
  content: z.union([z.string(), z.array(z.union([text, other]))]).nullish(),
});

/**
 * The supported fields of a completion request
 * (https://platform.openai.com/docs/api-reference/chat/create). Others, such as `temperature` and
 * `tools`, have no effect.
 */
export const completionRequest = z.object({
  model: z.string({ error: `Name the model: "${MODEL}".` }),
  messages: z.array(message, { error: 'Send at least one message.' }).min(1).max(MESSAGES_LIMIT),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1, { error: 'n must be 1: Engram writes one answer.' }).nullish(),
});

export type CompletionRequest = z.output<typeof completionRequest>;

type Message = CompletionRequest['messages'][number];

export function textOf({ content }: Message): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => ('text' in part ? part.text : '')).join('\n');
}

const hasOtherParts = ({ content }: Message): boolean =>
  Array.isArray(content) && content.some((part) => !('text' in part));

/** @throws HttpError 404 if the model is not {@link MODEL} */
export function assertModel(model: string): void {
  if (model === MODEL) return;
  throw new HttpError(404, 'model_not_found', `The only model is "${MODEL}".`);
}

/**
 * The question, which is the last message, and the previous question.
 * @throws HttpError 400 if the last message is not a question in text
 */
export function questionsOf(messages: readonly Message[]): {
  question: string;
  previous: string | null;
} {
  const [last, earlier] = messages.filter(({ role }) => role === 'user').toReversed();
  if (last === undefined || last !== messages.at(-1)) {
    throw new HttpError(400, 'no_question', 'The last message must be a question from the user.');
  }
  if (hasOtherParts(last)) {
    const message = 'Questions must be text. Upload files to Engram, then ask about them.';
    throw new HttpError(400, 'text_only', message);
  }
  const question = parseInput(searchBody.shape.text, textOf(last));
  const previous = earlier === undefined ? '' : textOf(earlier).trim();
  const isQuestion = previous !== '' && previous.length <= QUESTION_LIMIT;
  return { question, previous: isQuestion ? previous : null };
}

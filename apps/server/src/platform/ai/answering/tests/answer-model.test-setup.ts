import type { Passage } from '@engram/retrieval';
import { startMisbehavingModel } from '../../../../tests/misbehaving-model.test-setup.ts';
import {
  type AnswerEvent,
  type AnswerModel,
  type AnswerRequest,
  createAnswerModel,
} from '../answer-model.ts';
import { ModelUnavailable } from '../../model-unavailable.ts';
import type { AnswerModelSettings } from '../provider.ts';
import { createManualClock } from '../../../tests/clock.test-setup.ts';

const text =
  'The monthly rent is 900 EUR, payable on the third day of each month. The deposit is 1,800 EUR.';
export const lease: Passage = {
  artifactId: 'lease',
  fileName: 'lease.pdf',
  ordinal: 0,
  start: 0,
  end: text.length,
  text,
  location: { page: 3 },
  places: [],
  headings: ['Rent'],
  score: 1,
};
/** The answer of a well-behaved model about the lease. */
export const RENT = 'The monthly rent is 900 EUR [1].';
/** The same sentence as it is shown. */
export const SHOWN = 'The monthly rent is 900 EUR. [1]';

/** A server that misbehaves on request, a clock, and answer models that use both. */
export async function setUp() {
  const server = await startMisbehavingModel();
  const clock = createManualClock();
  const logged: unknown[][] = [];
  const note = (...line: unknown[]): number => logged.push(line);
  function create(settings: Partial<AnswerModelSettings> = {}): AnswerModel {
    const openaiBaseUrl = `${server.url}/v1`;
    const model = createAnswerModel(
      { llm: 'openai:tiny', openaiBaseUrl, ollamaBaseUrl: server.url, ...settings },
      { log: { info: note, warn: note }, clock },
    );
    if (model === null) throw new Error('There is no model.');
    return model;
  }
  return { server, clock, logged, create };
}

export const ask = (model: AnswerModel, more: Partial<AnswerRequest> = {}) =>
  model.answer({
    userId: 'someone',
    question: 'What is the monthly rent?',
    about: more.question ?? 'What is the monthly rent?',
    evidence: [lease],
    tools: [],
    earlier: [],
    tokenBudget: 4000,
    languages: ['en'],
    today: '2026-01-01',
    signal: new AbortController().signal,
    ...more,
  });

export async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export async function collect(events: AsyncIterable<AnswerEvent>) {
  const gathered = await gather(events);
  const deltas = gathered.flatMap((event) => (event.type === 'delta' ? [event.text] : []));
  const done = gathered.at(-1);
  if (done?.type !== 'done') throw new Error('The answer did not end.');
  return { deltas, answer: done.answer };
}

export async function failure(events: AsyncIterable<AnswerEvent>): Promise<ModelUnavailable> {
  const error: unknown = await gather(events).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ModelUnavailable))
    throw new Error('The model answered.', { cause: error });
  return error;
}

import {
  getArtifactText,
  getHistoryEntry,
  search,
  type SearchData,
  uploadArtifacts,
} from '@engram/contract';
import { expect } from 'vitest';
import type { Call } from './model-protocols.test-setup.ts';
import {
  type ModelBehavior,
  type ModelRequest,
  startMisbehavingModel,
} from './misbehaving-model.test-setup.ts';
import { buildTestApp, type TestApp } from './app.test-setup.ts';

/** The app with a scripted model, and a user with the given files. */
export async function startWithModel(files: Readonly<Record<string, string>>) {
  const model = await startMisbehavingModel();
  const engram = await buildTestApp({
    env: {
      ENGRAM_LLM: 'openai:test-model',
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: 'k',
    },
  });
  return {
    engram,
    model,
    ann: await createUser(engram, 'ann@example.org', files),

    async close(): Promise<void> {
      await engram.close();
      await model.close();
    },
  };
}

/** A user with the given files, and functions that ask questions. */
export async function createUser(
  engram: TestApp,
  email: string,
  files: Readonly<Record<string, string>>,
) {
  const { client } = await engram.signIn(email);
  const uploads = Object.entries(files).map(([name, text]) => ({
    name,
    content: new Blob([text]),
  }));
  await client.upload(uploadArtifacts, uploads, {});
  await engram.settled();
  return {
    client,

    async ask(text: string, more: { after?: string; explain?: boolean } = {}): Promise<SearchData> {
      return (await client.call(search, { body: { text, audio: false, ...more } })).data;
    },

    /** The steps and deltas of a streamed answer, and the complete answer. */
    async stream(
      text: string,
      more: { keywords?: string[] } = {},
    ): Promise<{ steps: string[]; deltas: string[]; done: SearchData }> {
      const deltas: string[] = [];
      const steps: string[] = [];
      let done: SearchData | undefined;
      for await (const event of client.stream(search, { body: { text, audio: false, ...more } })) {
        if (event.event === 'step') steps.push(event.data.text);
        if (event.event === 'delta') deltas.push(event.data.text);
        if (event.event === 'done') done = event.data;
      }
      if (done === undefined) throw new Error('The answer did not end.');
      return { steps, deltas, done };
    },

    async entry(id: string) {
      return (await client.call(getHistoryEntry, { query: { id } })).data;
    },

    /** Every mark has its citation, and every quote is literally in its file. */
    async expectTrueCitations({ answers, citations }: SearchData): Promise<void> {
      const marks = [...(answers[0] ?? '').matchAll(/\[(\d+)\]/gu)].map(([, n]) => Number(n));
      expect(new Set(marks)).toEqual(new Set(citations.map(({ n }) => n)));
      for (const { artifactId, quote, start, end } of citations) {
        const text = await client.text(getArtifactText, { params: { artifactId } });
        expect(text.slice(start, end)).toBe(quote);
      }
    },
  };
}

/** A model that answers with this text. */
export const saying = (...pieces: string[]): ModelBehavior => ({ kind: 'answer', pieces });

/** A model that calls a tool. */
export const calling = (name: string, input: unknown, ...more: Call[]): ModelBehavior => ({
  kind: 'calls',
  calls: [{ name, input: JSON.stringify(input) }, ...more],
});

/** Whether a request asks the model to rewrite a question. */
export const asksToRewrite = ({ system }: ModelRequest): boolean =>
  system.includes('refers to earlier questions');

/** The number of the passage in a request that contains this text, or 0. */
export function numberOf({ prompt, results }: ModelRequest, words: string): number {
  const fences = [prompt, ...results]
    .join('\n')
    .matchAll(/<(passage|result) n="(\d+)"[^>]*>([\s\S]*?)<\/\1>/gu);
  for (const [, , n, text = ''] of fences) if (text.includes(words)) return Number(n);
  return 0;
}

/** A model that answers `text`. In it, `[n]` becomes the number of the passage with `words`. */
export const citing = (text: string, words: string): ModelBehavior => ({
  kind: 'answer',
  pieces: (request) => [text.replaceAll('[n]', `[${numberOf(request, words)}]`)],
});

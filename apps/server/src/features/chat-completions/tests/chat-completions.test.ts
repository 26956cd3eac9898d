import { getHistoryEntry, type SearchData } from '@engram/contract';
import OpenAI, { APIError } from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeKey } from '../../../tests/mcp-clients.test-setup.ts';
import { citing, saying, startWithModel } from '../../../tests/model-app.test-setup.ts';
import { completionOf, contentOf, restOf } from '../completion.ts';

const FILES = {
  'Lease.txt': 'The lease of the house ends with three months notice.\n',
  'Boiler [old].txt': 'The boiler was serviced by Mr Harper in May.\n',
};
const NOTICE = 'How much notice does the lease need?';

let app: Awaited<ReturnType<typeof startWithModel>>;
let openai: OpenAI;
let ann: Awaited<ReturnType<(typeof app)['engram']['signIn']>>;

const clientWith = (apiKey: string): OpenAI =>
  new OpenAI({ apiKey, baseURL: `${app.engram.baseUrl}/openai`, maxRetries: 0 });

const ask = (messages: ChatCompletionMessageParam[], client = openai) =>
  client.chat.completions.create({ model: 'engram', messages });

const userMessage = (content: string): ChatCompletionMessageParam => ({ role: 'user', content });

async function streamed(messages: ChatCompletionMessageParam[]) {
  const stream = await openai.chat.completions.create({
    model: 'engram',
    messages,
    stream: true,
    stream_options: { include_usage: true },
  });
  const parts = [];
  for await (const chunk of stream) parts.push(chunk);
  const choices = parts.flatMap((chunk) => chunk.choices);
  return {
    parts,
    text: choices.map(({ delta }) => delta.content ?? '').join(''),
    annotations: choices.flatMap(({ delta }) => ('annotations' in delta ? delta.annotations : [])),
    ends: choices.flatMap(({ finish_reason }) => finish_reason ?? []),
    usage: parts.at(-1)?.usage,
  };
}

/** The error of a call. */
async function failureOf(call: Promise<unknown>): Promise<APIError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(APIError);
  return error as APIError;
}

const entryOf = async (question: string) => {
  const { history } = app.engram.deps.services;
  const id = await history.latest(ann.userId, question);
  return (await ann.client.call(getHistoryEntry, { query: { id: id ?? '' } })).data;
};

beforeAll(async () => {
  app = await startWithModel(FILES);
  ann = await app.engram.signIn('ann@example.org');
  openai = clientWith(await makeKey(ann, { readOnly: true }));
});
afterAll(() => app.close());

describe("a chat client with OpenAI's own library", () => {
  test('finds one model, by its list and by its name', async () => {
    const models = await openai.models.list();
    expect(models.data.map(({ id }) => id)).toEqual(['engram']);
    expect(await openai.models.retrieve('engram')).toMatchObject({ object: 'model' });
  });

  test('gets the answer of a model with links to the passages that it cites', async () => {
    app.model.behave(citing('The lease needs three months notice [n].', 'lease'));
    const { choices, object, model, usage } = await ask([userMessage(NOTICE)]);
    expect({ object, model, ends: choices.map((choice) => choice.finish_reason) }).toEqual({
      object: 'chat.completion',
      model: 'engram',
      ends: ['stop'],
    });
    const { content, annotations } = choices[0]?.message ?? {};
    expect(content).toMatch(
      /^The lease needs three months notice\. \[1\]\n\n\\\[1\\\] \[Lease\.txt, /u,
    );
    const [link] = /http[^)]+/u.exec(content ?? '') ?? [];
    expect(link).toMatch(/\/source\/[\da-f-]{36}\?from=0&to=\d+$/u);
    const [annotation] = annotations ?? [];
    expect(annotation?.url_citation.url).toBe(link);
    const { start_index, end_index } = annotation?.url_citation ?? {};
    expect(content?.slice(start_index, end_index)).toBe('[1]');
    expect(usage?.total_tokens).toBeGreaterThan(10);
  });

  test('gets the same text in a stream, with its annotations and usage at the end', async () => {
    app.model.behave(citing('The lease needs three months notice [n].', 'lease'));
    const whole = await ask([userMessage(NOTICE)]);
    app.model.behave(citing('The lease needs three months notice [n].', 'lease'));
    const stream = await streamed([userMessage(NOTICE)]);
    expect(stream.text).toBe(whole.choices[0]?.message.content);
    expect(stream.annotations).toEqual(whole.choices[0]?.message.annotations);
    expect(stream.ends).toEqual(['stop']);
    expect(stream.usage).toEqual(whole.usage);
    expect(stream.parts.length).toBeGreaterThan(3);
  });

  test('gets the found answer below a line when the model stops in the middle', async () => {
    const started = 'The lease needs three months notice [1].';
    app.model.behave({ kind: 'cut', pieces: [`${started} `, 'And it'], by: 'reset' });
    const { text, ends } = await streamed([userMessage(NOTICE)]);
    expect(text).toMatch(
      /The lease needs three months notice\. \[1\][\s\S]*\n\n---\n\n\*\*Lease\.txt\*\*/u,
    );
    expect(ends).toEqual(['stop']);
  });

  test('gets the found answer when the model fails', async () => {
    app.model.behave({ kind: 'status', status: 500 });
    const { text } = await streamed([userMessage(NOTICE)]);
    expect(text).toContain('The lease of the house ends with three months notice.');
    expect(text).toMatch(/\*.*This answer quotes passages from your files instead\.\*/u);
    expect(text).toContain('[Lease.txt, ');
  });

  test('gets the closest passages if the files have no answer', async () => {
    app.model.behave(saying('NO ANSWER'));
    const { choices } = await ask([userMessage('How tall is the lighthouse of the lease?')]);
    const { content, annotations } = choices[0]?.message ?? {};
    expect(content).toContain('Not an answer, but the closest passages:\n\n- [');
    expect(annotations).toEqual([]);
  });

  test('can ask a follow-up, which the history stores as one conversation', async () => {
    app.model.behave(citing('The boiler was serviced by Mr Harper [n].', 'boiler'));
    const first = await ask([userMessage('Who serviced the boiler?')]);
    const answer = first.choices[0]?.message.content ?? '';
    await ask([
      { role: 'system', content: 'You are a pirate.' },
      userMessage('Who serviced the boiler?'),
      { role: 'assistant', content: answer },
      { role: 'user', content: [{ type: 'text', text: 'And when was that?' }] },
    ]);
    const [before, after] = [
      await entryOf('Who serviced the boiler?'),
      await entryOf('And when was that?'),
    ];
    expect(after).toMatchObject({ follows: before.id });
  });
});

describe('a request that cannot be answered', () => {
  test.each<[string, object, number, RegExp]>([
    [
      'another model',
      { model: 'gpt-4o', messages: [userMessage('Hi')] },
      404,
      /only model is "engram"/u,
    ],
    ['no model', { messages: [userMessage('Hi')] }, 400, /Name the model/u],
    ['no message', { model: 'engram', messages: [] }, 400, /./u],
    ['invalid messages', { model: 'engram', messages: 'Hi' }, 400, /at least one message/u],
    [
      'a last message that is not a question',
      { model: 'engram', messages: [{ role: 'assistant', content: 'Hi' }] },
      400,
      /last message must be a question/u,
    ],
    [
      'a picture',
      {
        model: 'engram',
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] },
        ],
      },
      400,
      /Questions must be text/u,
    ],
    [
      'a question too long',
      { model: 'engram', messages: [userMessage('a'.repeat(301))] },
      400,
      /300/u,
    ],
    [
      'an empty question',
      { model: 'engram', messages: [userMessage(' ')] },
      400,
      /enter a question/u,
    ],
    ['two answers', { model: 'engram', n: 2, messages: [userMessage('Hi')] }, 400, /n must be 1/u],
  ])('reports %s in the format of the protocol', async (_, body, status, message) => {
    const error = await failureOf(openai.post('/chat/completions', { body }));
    expect(error.status).toBe(status);
    expect(error.message).toMatch(message);
    expect(error.type).toMatch(/^(?:invalid_request|not_found)_error$/u);
  });

  test('reports invalid JSON and a missing or wrong key', async () => {
    const broken = await fetch(`${app.engram.baseUrl}/openai/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${openai.apiKey}` },
      body: '{',
    });
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
    for (const key of ['eg_wrong', 'nothing']) {
      const error = await failureOf(ask([userMessage('Hi')], clientWith(key)));
      expect([error.status, error.type]).toEqual([401, 'authentication_error']);
    }
    const none = await fetch(`${app.engram.baseUrl}/openai/models`);
    expect(none.status).toBe(401);
    expect(await none.json()).toMatchObject({ error: { type: 'authentication_error' } });
  });

  test("answers only from the key's own files, and follows only their questions", async () => {
    const bob = await app.engram.signIn('bob@example.org');
    const { choices } = await ask(
      [
        userMessage(NOTICE),
        { role: 'assistant', content: 'Three months.' },
        userMessage('And the house?'),
      ],
      clientWith(await makeKey(bob)),
    );
    expect(choices[0]?.message.content).toBe(
      'There are no files to search yet. Upload files or add a note, and then ask again.',
    );
  });
});

describe('the text of a completion', () => {
  const citation = {
    n: 1,
    artifactId: 'a',
    fileName: 'Boiler [old].txt',
    path: null,
    location: { line: 3 },
    quote: 'It *was* serviced.',
    start: 4,
    end: 9,
  };
  const data = {
    answers: ['It was serviced [1], not [2].'],
    notice: null,
    citations: [citation],
    nearest: [],
  } as unknown as SearchData;
  const origin = 'http://localhost:3000';

  test('escapes file names, and annotates only citations that exist', () => {
    const completion = completionOf({ id: 'c', created: 0 }, data, { messages: [], origin });
    const [choice] = completion.choices;
    expect(choice?.message.content).toBe(
      'It was serviced [1], not [2].\n\n' +
        String.raw`\[1\] [Boiler \[old\].txt, line 3](http://localhost:3000/source/a?from=4&to=9)`,
    );
    expect(
      choice?.message.annotations.map((annotation) => annotation.url_citation.start_index),
    ).toEqual([16]);
  });

  test('continues the streamed text, or starts again below a line', () => {
    const content = contentOf(data, origin);
    expect('It was ' + restOf(content, 'It was ')).toBe(content);
    expect(restOf(content, 'It is')).toBe(`\n\n---\n\n${content}`);
  });
});

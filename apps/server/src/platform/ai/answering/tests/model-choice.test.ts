import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAnswerModel } from '../answer-model.ts';
import { ask, collect, failure, RENT, SHOWN, setUp } from './answer-model.test-setup.ts';

let setup: Awaited<ReturnType<typeof setUp>>;
beforeEach(async () => {
  setup = await setUp();
});
afterEach(() => setup.server.close());

describe('model selection', () => {
  it('ENGRAM_LLM=none turns models off', () => {
    expect(
      createAnswerModel(
        { llm: 'none', ollamaBaseUrl: setup.server.url },
        { log: { info: () => undefined, warn: () => undefined } },
      ),
    ).toBeNull();
  });

  it.each([
    ['openai:gpt', { openaiBaseUrl: undefined }, 'OPENAI_API_KEY'],
    ['anthropic:claude', {}, 'ANTHROPIC_API_KEY'],
    ['google:gemini', {}, 'GOOGLE_API_KEY'],
  ])(
    '%s without its key is off, and the message names the missing key',
    async (llm, overrides, name) => {
      const model = setup.create({ llm, ...overrides });
      expect(model.describe()).toMatchObject({ on: false, detail: expect.stringContaining(name) });
      expect((await failure(ask(model))).reason).toBe('down');
    },
  );

  it('a model file that does not exist turns the model off, and the message names the file', async () => {
    const model = setup.create({ llm: 'local:/nowhere/model.gguf' });
    await model.settled();
    expect(model.describe()).toEqual({
      on: false,
      detail: 'The file /nowhere/model.gguf does not exist.',
    });
  });

  it('a named model is on, and the status does not contain its key', () => {
    const { on, detail } = setup
      .create({
        openaiBaseUrl: 'https://user:secret@llm.example/v1',
        openaiApiKey: 'sk-1',
      })
      .describe();
    expect(on).toBe(true);
    expect(detail).toBe('Answers come from tiny at llm.example.');
  });

  it('automatic selection uses the first local model of Ollama that can chat', async () => {
    setup.server.ollama = [
      { name: 'nomic-embed-text:latest' },
      { name: 'gpt-oss:120b-cloud' },
      { name: 'big:latest', remote_host: 'https://ollama.com' },
      { name: 'all:33m', details: { family: 'bert' } },
      { name: 'llama3.2:3b', details: { family: 'llama' } },
    ];
    setup.server.behave({ kind: 'answer', pieces: [RENT] });
    const model = setup.create({ llm: 'auto', openaiApiKey: 'sk-1' });
    expect(model.describe().on).toBe(false);
    await model.settled();
    expect(model.describe()).toEqual({
      on: true,
      detail: `Answers come from llama3.2:3b on Ollama at ${new URL(setup.server.url).host}.`,
    });
    expect((await collect(ask(model))).answer.markdown).toBe(SHOWN);
    expect(setup.server.requests[0]?.body).toMatchObject({ model: 'llama3.2:3b' });
  });

  it('automatic selection never sends anything to a service that was not chosen', async () => {
    const model = setup.create({
      llm: 'auto',
      openaiApiKey: 'sk-1',
      anthropicApiKey: 'sk-2',
      googleApiKey: 'sk-3',
    });
    await model.settled();
    expect(model.describe().on).toBe(false);
    expect((await failure(ask(model))).reason).toBe('down');
    expect(setup.server.requests).toEqual([]);
  });

  it('automatic selection runs again when Ollama starts, gets a model, or stops', async () => {
    const model = setup.create({ llm: 'auto' });
    await model.settled();
    expect(model.describe().detail).toContain('there is no Ollama');
    setup.server.ollama = [];
    setup.clock.pass(30_000);
    model.describe();
    await model.settled();
    expect(model.describe().detail).toContain('ollama pull');
    setup.server.ollama = [{ name: 'tiny' }];
    setup.clock.pass(30_000);
    model.describe();
    await model.settled();
    expect(model.describe().on).toBe(true);
    setup.server.ollama = null;
    setup.server.behave({ kind: 'cut', pieces: [], by: 'reset' });
    expect((await failure(ask(model))).reason).toBe('down');
    await model.settled();
    expect(model.describe().on).toBe(false);
  });
});

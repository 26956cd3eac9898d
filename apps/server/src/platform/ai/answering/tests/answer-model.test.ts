import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startMisbehavingModel } from '../../../../tests/misbehaving-model.test-setup.ts';
import { ask, collect, failure, gather, RENT, SHOWN, setUp } from './answer-model.test-setup.ts';

let setup: Awaited<ReturnType<typeof setUp>>;
beforeEach(async () => {
  setup = await setUp();
});
afterEach(() => setup.server.close());

describe('answers from a model', () => {
  it('an answer streams as verified sentences, and its citations point to the passages', async () => {
    setup.server.behave({
      kind: 'answer',
      pieces: ['The monthly rent is 900 EUR [1]. ', 'The deposit is 1,800 EUR [1].'],
    });
    const { deltas, answer } = await collect(ask(setup.create()));
    expect(deltas).toEqual([SHOWN, ' The deposit is 1,800 EUR. [2]']);
    expect(answer.markdown).toBe(deltas.join(''));
    expect(answer.citations).toMatchObject([
      { n: 1, fileName: 'lease.pdf', start: 0, end: 68 },
      { n: 2, quote: 'The deposit is 1,800 EUR.' },
    ]);
  });

  it.each([
    ['a source that does not exist', ['The monthly rent is 900 EUR [4]. Pets cost 30 EUR [9].']],
    [
      'an invented quotation',
      ['The monthly rent is 900 EUR [1]. It says "no pets are allowed here" [1].'],
    ],
    ['a citation cut in two', ['The monthly rent is 900 EUR [', '1', '].']],
    ['thoughts in the text', ['<thi', 'nk>Is it 950 EUR? Yes.</think>', RENT]],
  ])('an answer contains only verified text despite %s', async (_, pieces) => {
    setup.server.behave({ kind: 'answer', pieces });
    const { deltas, answer } = await collect(ask(setup.create()));
    expect(deltas.join('')).toBe(SHOWN);
    expect(answer.citations.map((citation) => citation.n)).toEqual([1]);
  });

  it.each([
    ['the model finds no answer', "Your files don't seem to say."],
    ['nothing in it can be verified', 'The monthly rent is 950 EUR [1].'],
  ])('an answer is not grounded if %s', async (_, piece) => {
    setup.server.behave({ kind: 'answer', pieces: [piece] });
    expect(await collect(ask(setup.create()))).toEqual({
      deltas: [],
      answer: { markdown: "Your files don't seem to say.", citations: [], grounded: false },
    });
  });

  it('verifying thousands of sentences at once yields to other work, and the answer is cut', async () => {
    const quoted = '"the monthly rent is 950 EUR and due on the fourth" and '.repeat(6);
    const end = Promise.withResolvers<void>();
    const pieces = [`${RENT} ${`Is it that Meyer says ${quoted} so [1]? `.repeat(300)}`];
    setup.server.behave({ kind: 'answer', pieces, untilEnd: end.promise });
    let turns = 0;
    let ended = false;
    const count = (): void => {
      turns += 1;
      if (!ended) setImmediate(count);
    };
    const events = ask(setup.create());
    await events.next();
    count();
    const { answer } = await collect(events);
    ended = true;
    expect(turns).toBeGreaterThan(40);
    expect(answer.markdown).toBe(SHOWN);
    await setup.server.requests[0]?.closed;
  });

  it('an answer ends where the model ran out of tokens', async () => {
    setup.server.behave({ kind: 'answer', pieces: [RENT, ' The deposit is 2'], finish: 'length' });
    expect((await collect(ask(setup.create()))).answer.markdown).toBe(SHOWN);
  });

  it('a model may start late or reason first', async () => {
    const begin = Promise.withResolvers<void>();
    setup.server.behave({
      kind: 'answer',
      pieces: [RENT],
      thoughts: ['Hm.', 'Well.'],
      untilBegin: begin.promise,
    });
    const events = collect(ask(setup.create()));
    await setup.server.received(1);
    setup.clock.pass(19_000);
    begin.resolve();
    expect((await events).answer.markdown).toBe(SHOWN);
  });
});

describe('models that fail', () => {
  const half = ['The monthly rent is 900 EUR [1]. The dep'];
  it.each([
    ['resets the connection', { kind: 'cut', pieces: half, by: 'reset' }, 'down'],
    ['closes the stream early', { kind: 'cut', pieces: half, by: 'close' }, 'malformed'],
    [
      'sends invalid JSON',
      { kind: 'malformed', pieces: half, event: '{"choices": [' },
      'malformed',
    ],
    [
      'sends another shape',
      { kind: 'malformed', pieces: half, event: '{"choices": 7}' },
      'malformed',
    ],
    ['reports an error in the stream', { kind: 'error-event', pieces: half, message: 'x' }, 'down'],
    ['sends an empty answer', { kind: 'answer', pieces: [] }, 'malformed'],
    [
      'refuses in words',
      { kind: 'answer', pieces: ["I'm sorry, I can't help with that."] },
      'refused',
    ],
    [
      'refuses by its filter',
      { kind: 'answer', pieces: half, finish: 'content_filter' },
      'refused',
    ],
    ['rejects the key', { kind: 'status', status: 401 }, 'refused'],
    ['rejects the request', { kind: 'status', status: 400 }, 'refused'],
    ['does not exist', { kind: 'status', status: 404 }, 'down'],
  ] as const)(
    'a model that %s is reported with its reason, and is not called again',
    async (_, behavior, reason) => {
      setup.server.behave(behavior);
      const error = await failure(ask(setup.create()));
      expect(error.reason).toBe(reason);
      expect(error.message).toMatch(/^[A-Z].*\.$/u);
      expect(setup.server.requests).toHaveLength(1);
      expect(setup.logged).toEqual([[expect.objectContaining({ reason }), error.message]]);
    },
  );

  it('a model that cannot be reached is reported as down', async () => {
    const stopped = await startMisbehavingModel();
    await stopped.close();
    expect((await failure(ask(setup.create({ openaiBaseUrl: `${stopped.url}/v1` })))).reason).toBe(
      'down',
    );
  });

  it.each([
    [429, { 'retry-after': '3' }, 3000],
    [429, {}, 500],
    [429, { 'retry-after': 'Thu, 01 Jan 2026 00:00:02 GMT' }, 2000],
    [500, {}, 500],
    [503, { 'retry-after': '0' }, 0],
  ])(
    'a model that responds with %i %o is called again after %i ms',
    async (status, headers, wait) => {
      setup.server.behave({ kind: 'status', status, headers }, { kind: 'answer', pieces: [RENT] });
      const events = collect(ask(setup.create()));
      await setup.server.received(1);
      await setup.clock.armed(wait);
      setup.clock.pass(wait);
      expect((await events).answer.markdown).toBe(SHOWN);
      expect(setup.server.requests).toHaveLength(2);
    },
  );

  it.each([
    ['requires a long wait', { 'retry-after': '60' }, 1, 0],
    ['keeps failing', { 'retry-after': '1' }, 2, 1000],
  ])('a model that %s fails with rate_limited', async (_, headers, requests, wait) => {
    setup.server.behave({ kind: 'status', status: 429, headers });
    const events = failure(ask(setup.create()));
    await setup.server.received(1);
    if (wait > 0) await setup.clock.armed(wait);
    setup.clock.pass(wait);
    expect((await events).reason).toBe('rate_limited');
    expect(setup.server.requests).toHaveLength(requests);
  });
});

describe('models that hang', () => {
  it('a request without a first token fails after 20 seconds', async () => {
    setup.server.behave({ kind: 'hang', pieces: [] });
    const events = failure(ask(setup.create()));
    await setup.server.received(1);
    setup.clock.pass(19_999);
    setup.clock.pass(1);
    expect((await events).reason).toBe('timeout');
    await setup.server.requests[0]?.closed;
  });

  it('an answer that stalls fails after 15 seconds without a token', async () => {
    setup.server.behave({ kind: 'hang', pieces: [`${RENT} `, 'The dep'] });
    const events = ask(setup.create());
    expect((await events.next()).value).toEqual({ type: 'delta', text: SHOWN });
    const next = failure({ [Symbol.asyncIterator]: () => events });
    await setup.clock.armed(15_000);
    setup.clock.pass(15_000);
    expect((await next).reason).toBe('timeout');
    await setup.server.requests[0]?.closed;
  });

  it('an answer that never ends fails after 90 seconds', async () => {
    const end = Promise.withResolvers<void>();
    setup.server.behave({
      kind: 'answer',
      pieces: [`${RENT} `, 'The dep'],
      untilEnd: end.promise,
    });
    const events = ask(setup.create());
    await events.next();
    setup.clock.pass(90_000);
    expect((await failure({ [Symbol.asyncIterator]: () => events })).reason).toBe('timeout');
    end.resolve();
  });

  it('a request is aborted when the caller disconnects, with the caller’s reason', async () => {
    setup.server.behave({ kind: 'hang', pieces: [] });
    const caller = new AbortController();
    const events = gather(ask(setup.create(), { signal: caller.signal }));
    await setup.server.received(1);
    const reason = new Error('The user left.');
    caller.abort(reason);
    await expect(events).rejects.toBe(reason);
    await setup.server.requests[0]?.closed;
    expect(setup.logged).toEqual([]);
  });

  it('a request is aborted when the caller stops reading', async () => {
    setup.server.behave({ kind: 'hang', pieces: [`${RENT} `, 'The dep'] });
    for await (const event of ask(setup.create())) {
      expect(event.type).toBe('delta');
      break;
    }
    await setup.server.requests[0]?.closed;
  });
});

import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { createClient } from '@engram/client';
import {
  listArtifacts,
  search,
  type SearchData,
  searchReady,
  uploadArtifacts,
} from '@engram/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type MisbehavingModel,
  startMisbehavingModel,
} from '../../apps/server/src/tests/misbehaving-model.test-setup.ts';
import { type Engram, signIn, startEngram } from './engram.ts';

const LEASE = 'The lease ends with three months notice.';
const QUESTION = { text: 'How much notice does the lease need?', audio: false };
const BOUNDARY = 'the-boundary';

let model: MisbehavingModel;
let engram: Engram | undefined;

beforeAll(async () => {
  model = await startMisbehavingModel();
});
afterAll(async () => {
  await engram?.close();
  await model.close();
});

/** The server with a user who has a file, and a model that has not completed its answer. */
async function startAnswering(env: Record<string, string>, untilEnd: Promise<void>) {
  await engram?.close();
  engram = await startEngram({
    ENGRAM_LLM: 'openai:test-model',
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: 'k',
    ...env,
  });
  const token = await signIn(engram, 'ada@example.org');
  const client = createClient({ baseUrl: `${engram.url}/v1`, token: () => token });
  await client.upload(uploadArtifacts, [{ name: 'Lease.txt', content: new Blob([LEASE]) }], {});
  await expect.poll(async () => (await client.call(searchReady, {})).data).toBeTruthy();
  model.behave({ kind: 'answer', pieces: [`${LEASE} [1]`, '\n\nThat is all.'], untilEnd });
  const events = client.stream(search, { body: QUESTION })[Symbol.asyncIterator]();
  for (let eventName = ''; eventName !== 'delta';)
    eventName = (await events.next()).value?.event ?? 'delta';
  return { engram, token, client, events };
}

/** An upload of which half has arrived. `end` sends the rest. */
function startUpload(url: string, token: string) {
  const upload = request(`${url}/v1/artifacts/upload`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    },
  });
  upload.write(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="Late.txt"\r\nContent-Type: text/plain\r\n\r\nThe boiler`,
  );
  const answered = once(upload, 'response');
  answered.catch(() => undefined);
  return {
    answered,
    end: () => upload.end(` was serviced in May.\r\n--${BOUNDARY}--\r\n`),
  };
}

test('a stopping server fails its readiness check immediately, and completes open requests before it exits with 0', async () => {
  const answerAllowed = Promise.withResolvers<void>();
  // Long enough for the two calls that the stopping server accepts, even on a busy machine.
  const env = { ENGRAM_DRAIN_SECONDS: '10', ENGRAM_STOP_SECONDS: '60' };
  const { engram, token, client, events } = await startAnswering(env, answerAllowed.promise);
  const ready = async () => {
    const answer = await fetch(`${engram.url}/v1/ready`);
    return { status: answer.status, ...((await answer.json()) as object) };
  };
  expect(await ready()).toMatchObject({ status: 200, data: { status: 'ready' } });
  const upload = startUpload(engram.url, token);

  const stopped = engram.stop();
  await expect
    .poll(ready, { interval: 20 })
    .toEqual({ status: 503, message: 'The server is stopping.', code: 'not_ready' });
  // Calls are still accepted, because load balancers have not noticed the stop yet.
  expect((await client.call(listArtifacts, {})).data).toHaveLength(1);

  // After the drain period new connections are refused, and open requests continue.
  await expect.poll(() => ready().catch(() => 'refused')).toBe('refused');
  answerAllowed.resolve();
  upload.end();
  let done: SearchData | undefined;
  for (let next = await events.next(); !next.done; next = await events.next()) {
    if (next.value.event === 'done') done = next.value.data;
  }
  expect(done?.answers[0]).toContain(LEASE);
  const [response] = await upload.answered;
  expect(response.statusCode).toBe(200);
  await json(response);
  expect(await stopped).toBe(0);

  // Queued files are processed after the next start.
  await engram.restart();
  await expect
    .poll(async () =>
      (await client.call(listArtifacts, {})).data.map(({ uploadStatus }) => uploadStatus),
    )
    .toEqual(['SUCCESS', 'SUCCESS']);
});

test('requests that do not complete are aborted after the configured time', async () => {
  const { engram, token, events } = await startAnswering(
    { ENGRAM_STOP_SECONDS: '1' },
    new Promise(() => {}),
  );
  const upload = startUpload(engram.url, token);
  const [code, abortedAnswer, abortedUpload] = await Promise.all([
    engram.stop(),
    (async () => {
      while (!(await events.next()).done);
    })().then(
      () => 'whole',
      () => 'cut',
    ),
    upload.answered.then(
      ([response]) => response.statusCode,
      () => 'cut',
    ),
  ]);
  expect([code, abortedAnswer]).toEqual([0, 'cut']);
  expect(abortedUpload).not.toBe(200);
});

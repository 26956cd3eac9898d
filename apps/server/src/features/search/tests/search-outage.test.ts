import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import {
  deleteArtifact,
  getArtifact,
  listArtifacts,
  ready,
  search,
  uploadArtifacts,
} from '@engram/contract';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  testIndexName,
  testOpenSearchUrl,
} from '../../../platform/index/opensearch/tests/opensearch.test-setup.ts';
import { buildTestApp, type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';

const QUESTION = 'What is the code of the boat house?';

const upload = async (ann: SignedInUser): Promise<string> => {
  const content = new Blob(['The code of the boat house is 4711.\n']);
  const { data } = await ann.client.upload(uploadArtifacts, [{ name: 'boat.txt', content }], {});
  return data.artifacts[0]?.artifactId ?? '';
};
const ask = async (ann: SignedInUser) =>
  (await ann.client.call(search, { body: { text: QUESTION } })).data;
const statusOf = async (ann: SignedInUser, artifactId: string) =>
  (await ann.client.call(getArtifact, { params: { artifactId } })).data.uploadStatus;

async function startApp(env: Record<string, string>, database: 'embedded' | 'server' = 'embedded') {
  const engram = await buildTestApp({ env: { ENGRAM_LOG_LEVEL: 'silent', ...env }, database });
  onTestFinished(() => engram.close());
  return { engram, ann: await engram.signIn('ann@example.org') };
}

/** A proxy for OpenSearch that can be closed and opened. */
async function startProxy() {
  const { hostname, port } = new URL(testOpenSearchUrl);
  const sockets = new Set<Socket>();
  let isOpen = false;
  const server = createServer((socket) => {
    if (!isOpen) return socket.destroy();
    const upstream = connect(Number(port), hostname);
    for (const connection of [socket, upstream]) {
      sockets.add(connection);
      connection.on('error', () => undefined);
      connection.on('close', () => {
        socket.destroy();
        upstream.destroy();
      });
    }
    return socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const setOpen = (open: boolean): void => {
    isOpen = open;
    if (!open) for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    setOpen(false);
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, setOpen };
}

test('an unreachable search index is reported, and does not make files fail', async () => {
  const { engram, ann } = await startApp({ ENGRAM_SEARCH: 'http://127.0.0.1:1' });
  const file = await upload(ann);
  await expect(ask(ann)).rejects.toMatchObject({
    status: 503,
    code: 'search_unavailable',
    message: 'The search index cannot be reached right now. Please try again in a moment.',
  });
  const { status, parts } = (await engram.anonymous.call(ready, {})).data;
  expect(status).toBe('degraded');
  expect(parts.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['index']);
  await expect(engram.deps.services.consistency.maintain()).rejects.toThrow('cannot be reached');
  expect(await statusOf(ann, file)).toMatch(/^(?:PENDING|PROCESSING)$/u);
});

describe.skipIf(!testOpenSearchUrl).each(testDatabases)('with OpenSearch (%s)', (database) => {
  test('a file is found once it is ready, and not once it is deleted', async () => {
    const { name, remove } = testIndexName();
    onTestFinished(remove);
    const env = { ENGRAM_SEARCH: testOpenSearchUrl, ENGRAM_SEARCH_INDEX: name };
    const { engram, ann } = await startApp(env, database);
    const file = await upload(ann);
    await engram.settled();
    expect((await ask(ann)).answers[0]).toContain('4711');
    await ann.client.call(deleteArtifact, { params: { artifactId: file } });
    expect(await ask(ann)).toMatchObject({ grounded: false, citations: [] });
    await engram.settled();
    expect(await engram.deps.index.artifactIds(ann.userId)).toEqual(new Set());
  });

  test('files that were uploaded during an outage are found after it', async () => {
    const { name, remove } = testIndexName();
    onTestFinished(remove);
    const { url, setOpen } = await startProxy();
    const env = { ENGRAM_SEARCH: url, ENGRAM_SEARCH_INDEX: name };
    const { engram, ann } = await startApp(env, database);
    await upload(ann);
    await expect(ask(ann)).rejects.toMatchObject({ status: 503 });
    setOpen(true);
    await engram.settled();
    expect((await ask(ann)).answers[0]).toContain('4711');
    setOpen(false);
    await expect(ask(ann)).rejects.toMatchObject({ status: 503 });
    setOpen(true);
    expect((await ask(ann)).answers[0]).toContain('4711');
    const { data } = await ann.client.call(listArtifacts, { query: {} });
    expect(data.map(({ uploadStatus }) => uploadStatus)).toEqual(['SUCCESS']);
  });
});

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  API_KEY_HEADER,
  endConnections,
  endSessions,
  generateApiKey,
  listSessions,
  revokeApiKey,
  signArtifact,
  signExport,
  zipArtifacts,
} from '@engram/contract';
import { beforeEach, expect, test } from 'vitest';
import {
  aProgram,
  CALLBACK,
  clientIdOf,
  createDesk,
} from '../../../tests/connections.test-setup.ts';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { storedZip } from '../../../tests/archives.test-setup.ts';
import { upload } from '../../../tests/exports.test-setup.ts';
import { oauthProgram } from '../../../tests/oauth-program.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const engram = useTestApp();
let userCount = 0;
let ann: SignedInUser;
let artifactId: string;

beforeEach(async () => {
  userCount += 1;
  ann = await engram.signIn(`ann${userCount}@example.org`);
  const { artifacts } = await upload(ann, { 'lease.txt': 'The lease ends in May.' });
  artifactId = artifacts[0]?.artifactId ?? '';
});

const statusesOf = (urls: readonly string[]): Promise<number[]> =>
  Promise.all(urls.map(async (url) => (await fetch(new URL(url, engram.origin))).status));

/** Requests a link to a file with an API key or a token. */
async function linkFor(headers: Record<string, string>): Promise<string> {
  const answer = await fetch(`${engram.baseUrl}/artifacts/${artifactId}/link`, { headers });
  const { data } = (await answer.json()) as { data: { presignedUrl: string } };
  return data.presignedUrl;
}

test('links to a file, a zip and the export expire with the session that requested them', async () => {
  const { client } = ann;
  const urls = [
    (await client.call(signArtifact, { params: { artifactId } })).data.presignedUrl,
    (await client.call(zipArtifacts, { body: { ids: [artifactId] } })).data.url,
    (await client.call(signExport, {})).data.url,
  ];
  const other = await engram.signIn(ann.email);
  expect(await statusesOf(urls)).toEqual([200, 200, 200]);
  await other.client.call(endSessions, { query: {} });
  expect(await statusesOf(urls)).toEqual([410, 410, 410]);
});

test('a link expires with the API key that requested it, and not with a session', async () => {
  const { data: key } = await ann.client.call(generateApiKey, {
    params: { name: 'Script' },
    body: {},
  });
  const link = await linkFor({ [API_KEY_HEADER]: key.apiKey });
  await ann.client.call(endSessions, { query: {} });
  expect(await statusesOf([link])).toEqual([200]);
  await ann.client.call(revokeApiKey, { params: { id: key.id } });
  expect(await statusesOf([link])).toEqual([410]);
});

test('a link expires with the connection that requested it', async () => {
  const program = oauthProgram(engram.origin);
  const clientId = clientIdOf(await program.register(aProgram()));
  const request = { clientId, redirectUri: CALLBACK };
  const { tokens } = await createDesk(engram, program).connect(ann, request);
  const link = await linkFor({ authorization: `Bearer ${tokens.access_token}` });
  expect(await statusesOf([link])).toEqual([200]);
  await ann.client.call(endConnections, {});
  expect(await statusesOf([link])).toEqual([410]);
});

test('a running export is aborted when its session ends', async () => {
  await upload(ann, {
    'large.zip': storedZip({ 'large.bin': new Uint8Array(randomBytes(20_000_000)) }),
  });
  const { data: sessions } = await ann.client.call(listSessions, {});
  const sessionId = sessions.find(({ current }) => current)?.id ?? null;
  const holder = { userId: ann.userId, sessionId, apiKeyId: null, connectionId: null };
  const { content } = await engram.deps.services.portability.exports.start(holder);
  const cutOff = once(content, 'error');
  const other = await engram.signIn(ann.email);
  await other.client.call(endSessions, { query: {} });
  expect(await cutOff).toMatchObject([
    { message: 'the session or key that requested the zip has ended' },
  ]);
});

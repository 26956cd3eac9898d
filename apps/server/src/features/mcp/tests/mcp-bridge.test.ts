import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { uploadArtifacts } from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectOverStdio, GENERATIONS, makeKey } from '../../../tests/mcp-clients.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const ENGRAM = path.resolve(import.meta.dirname, '../../../../../../scripts/engram.cjs');

const engram = useTestApp();
let key: string;

beforeAll(async () => {
  const ann = await engram.signIn('ann@example.org');
  key = await makeKey(ann);
  const file = { name: 'Lease.txt', content: new Blob(['The lease ends in May.']) };
  await ann.client.upload(uploadArtifacts, [file], {});
  await engram.settled();
});

describe.each(GENERATIONS)('`engram mcp` with a client of %s', (generation) => {
  test('passes on all messages in both directions', async () => {
    const env = { ENGRAM_BASE_URL: `${engram.origin}/v1`, ENGRAM_API_KEY: key };
    const { client, messages } = await connectOverStdio({ args: [ENGRAM, 'mcp'], env }, generation);
    expect((await client.listTools()).tools).toHaveLength(6);
    expect((await client.listPrompts()).prompts).toHaveLength(2);
    const results = await Promise.all(
      ['When does the lease end?', 'May', 'lease'].map((query) =>
        client.callTool({ name: 'search', arguments: { query } }),
      ),
    );
    for (const result of results)
      expect(JSON.stringify(result)).toContain('The lease ends in May.');
    const { resources } = await client.listResources();
    const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' });
    expect(JSON.stringify(contents)).toContain('The lease ends in May.');
    expect((await client.callTool({ name: 'search', arguments: {} })).isError).toBe(true);
    await client.close();
    expect(messages).toEqual([]);
  });
});

/** Starts the command, sends input to it, and waits until it ends. */
async function run(args: string[], input: object | null, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [ENGRAM, 'mcp', ...args], { env });
  const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
  if (input === null) child.stdin.end();
  else {
    child.stdin.write(`${JSON.stringify(input)}\n`);
    child.stdout.once('data', () => child.stdin.end());
  }
  const [code] = (await once(child, 'exit')) as [number];
  const [out, err] = await outputs;
  return { code, out, err };
}

const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };

test.each([
  ['no key', () => ['--url', engram.origin], /Send an API key.*set ENGRAM_API_KEY/u],
  [
    'a wrong key',
    () => ['--url', engram.origin, '--key', `eg_${'x'.repeat(43)}`],
    /This API key is invalid or was revoked\. .*set ENGRAM_API_KEY/u,
  ],
  [
    'an unreachable server',
    () => ['--url', 'http://127.0.0.1:9'],
    /Engram cannot be reached\. Start it/u,
  ],
])(
  '`engram mcp` with %s reports the problem, on standard error and to the client',
  async (_, args, sentence) => {
    const { code, out, err } = await run(args(), ping);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      id: 7,
      error: { code: -32_000, message: expect.stringMatching(sentence) },
    });
    expect(err).toMatch(sentence);
  },
);

test('`engram mcp` reports an address of another service', async () => {
  const { out } = await run(['--url', `${engram.origin}/elsewhere`, '--key', key], ping);
  expect(JSON.parse(out)).toMatchObject({ id: 7, error: { message: expect.any(String) } });
});

test('`engram mcp` reports invalid arguments, and ends with its input', async () => {
  expect(await run([], null)).toMatchObject({ code: 0, out: '', err: '' });
  expect(await run(['--url', 'nonsense'], null)).toMatchObject({ code: 1, out: '' });
  expect((await run(['--url', 'nonsense'], null)).err).toContain('must be an address');
  expect((await run(['--kye', 'x'], null)).code).toBe(1);
  expect((await run(['--help'], null)).out).toContain('Usage: engram mcp');
});

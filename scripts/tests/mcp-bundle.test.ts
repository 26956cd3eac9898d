import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unpackExtension, v0_3, validateManifest } from '@anthropic-ai/mcpb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  connectOverStdio,
  GENERATIONS,
  makeKey,
} from '../../apps/server/src/tests/mcp-clients.test-setup.ts';
import { useTestApp } from '../../apps/server/src/tests/use-app.test-setup.ts';
import { buildMcpBundle } from '../mcp-bundle.ts';

const engram = useTestApp();
let folder: string;
let unpacked: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'engram-bundle-'));
  unpacked = path.join(folder, 'unpacked');
  const mcpbPath = await buildMcpBundle(path.join(folder, 'engram.mcpb'));
  await unpackExtension({ mcpbPath, outputDir: unpacked, silent: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the bundle matches the published schema, and is self-contained', async () => {
  const file = path.join(unpacked, 'manifest.json');
  expect(validateManifest(file)).toBe(true);
  const manifest = v0_3.McpbManifestSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  expect(manifest.user_config).toMatchObject({ api_key: { sensitive: true, required: true } });
  expect((await readdir(unpacked)).toSorted()).toEqual(['icon.png', 'manifest.json', 'server']);
  expect(await readdir(path.join(unpacked, 'server'))).toEqual(['main.mjs']);
});

test.each(GENERATIONS)('the bundle connects a client of %s', async (generation) => {
  const key = await makeKey(await engram.signIn('ann@example.org'));
  const { mcp_config: started } = v0_3.McpbManifestSchema.parse(
    JSON.parse(await readFile(path.join(unpacked, 'manifest.json'), 'utf8')),
  ).server;
  const substitute = (text: string): string =>
    text
      .replace('${__dirname}', unpacked)
      .replace('${user_config.base_url}', engram.origin)
      .replace('${user_config.api_key}', key);
  const args = (started.args ?? []).map(substitute);
  const env = Object.fromEntries(
    Object.entries(started.env ?? {}).map(([name, value]) => [name, substitute(value)]),
  );
  const { client, messages } = await connectOverStdio({ args, env }, generation);
  expect((await client.listTools()).tools).toHaveLength(6);
  expect((await client.callTool({ name: 'list_files', arguments: {} })).isError).toBeUndefined();
  await client.close();
  expect(messages).toEqual([]);
});

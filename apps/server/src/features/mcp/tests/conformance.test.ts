import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { API_KEY_HEADER } from '@engram/contract';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdmission } from '../../../platform/http/admission.ts';
import { createBackgroundYield } from '../../../platform/http/background-yield.ts';
import { createOriginOf } from '../../../platform/http/hosts.ts';
import { createHttpServer } from '../../../platform/http/server.ts';
import { noLimit } from '../../../platform/limits/limit.ts';
import { createConformanceServer } from './conformance.test-setup.ts';
import { createMcpEndpoint } from '../mcp.service.ts';
import { mountMcp } from '../mcp.routes.ts';

const SUITE = path.join(
  path.dirname(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'),
  ),
  'dist/index.js',
);

const KEY = 'a-key';
let app: FastifyInstance;
let url: string;
let folder: string;

// Authorization and endpoint are those of Engram, with the tools that the suite calls.
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'engram-conformance-'));
  const log = pino({ level: 'silent' });
  app = await createHttpServer({ log, trustProxy: undefined });
  // The suite cannot send a key.
  app.addHook('onRequest', async ({ headers }) => {
    headers[API_KEY_HEADER.toLowerCase()] = KEY;
  });
  const caller = { userId: 'ann', email: 'ann@example.org', role: 'USER' as const };
  const session = { sessionId: null, provenAt: null, device: null };
  const opened = { ...caller, ...session, apiKeyId: 'key', connectionId: null, readOnly: false };
  const originOf = createOriginOf(undefined);
  const admission = createAdmission({
    authenticate: async () => opened,
    authenticateKey: async () => opened,
    isApiKey: () => true,
    isAccessToken: () => false,
    authenticateToken: async () => opened,
    originOf,
    limits: { user: noLimit, key: noLimit, open: noLimit, failed: noLimit },
    now: () => new Date(),
  });
  const endpoint = createMcpEndpoint(createConformanceServer, log);
  await mountMcp(app, endpoint, admission, createBackgroundYield(), undefined);
  url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/mcp`;
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Scenarios in which a tool asks a 2025 client something during a call. The answer is a separate
 * call, which a stateless server cannot match to the first one. No tool of Engram asks anything.
 */
const NEED_SESSIONS = [
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
];

/**
 * Runs the requirements of a revision for servers. Returns the number of passed scenarios, and the
 * failed ones.
 */
async function run(revision: string) {
  const args = [SUITE, 'server', '--url', url, '--requirements', revision];
  const suite = spawn(process.execPath, args, { cwd: folder });
  const [out] = await Promise.all([text(suite.stdout), text(suite.stderr), once(suite, 'exit')]);
  // Checks that the revision does not require are listed again, without counts and with the reason.
  const optional = new Set([...out.matchAll(/[✓✗] (\S+) \(/gu)].map(([, name]) => name));
  const results = [...out.matchAll(/([✓✗]) (\S+): \d+ passed/gu)].filter(
    ([, , name]) => !optional.has(name),
  );
  const failed = results.flatMap(([, mark, name]) => (mark === '✗' ? [name] : []));
  return { passed: results.length - failed.length, failed };
}

test('the endpoint conforms to revision 2025-11-25 for a server without sessions', async () => {
  expect(await run('2025-11-25')).toEqual({ passed: 26, failed: NEED_SESSIONS });
});

test('the endpoint conforms to revision 2026-07-28', async () => {
  expect(await run('2026-07-28')).toEqual({ passed: 37, failed: [] });
});

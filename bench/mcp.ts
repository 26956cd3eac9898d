import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { API_KEY_HEADER } from '@engram/contract';
import { makeKey } from '../apps/server/src/tests/mcp-clients.test-setup.ts';
import { buildTestApp, type TestApp } from '../apps/server/src/tests/app.test-setup.ts';
import { percentile, round } from './index-corpus.ts';
import { createLibraryText } from './library-text.ts';
import { fillLibrary } from './library.ts';
import { startAsker } from './question-asker.ts';
import { residentMegabytes } from './process-memory.ts';

const CHUNKS = 10_000;
const WARM_UP = 20;
const QUESTIONS = 60;
const SESSIONS = 1000;
/** Of the texts and questions, so that each run has the same. */
const SEED = 7;

/** The stage of an answer that ends the finding; what comes after it is the answer's. */
const LAST_OF_FINDING = 'rank';

const REVISION = '2026-07-28';
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Calls as clients of either generation send them, without a client's own work in the times. */
function createCaller({ origin }: TestApp, apiKey: string) {
  const post = async (body: object, headers: Record<string, string> = {}): Promise<string> => {
    const response = await fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: {
        [API_KEY_HEADER]: apiKey,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  };
  const modern = (id: number, method: string, params: { name?: string } & object = {}) =>
    post(
      { id, method, params: { ...params, _meta: ENVELOPE } },
      {
        'mcp-protocol-version': REVISION,
        'mcp-method': method,
        ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
      },
    );

  return {
    search: (query: string) =>
      modern(1, 'tools/call', { name: 'search', arguments: { query } } as object),

    /** A whole session of a client: how it begins, what it asks for first, and one call. */
    async session(number: number): Promise<void> {
      const listed = { name: 'list_files', arguments: {} };
      if (number % 2 === 0) {
        await modern(1, 'server/discover');
        await modern(2, 'tools/list');
        await modern(3, 'tools/call', listed);
        return;
      }
      const clientInfo = { name: 'bench', version: '1' };
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
      await post({ id: 1, method: 'initialize', params });
      await post({ method: 'notifications/initialized' });
      await post({ id: 2, method: 'tools/list' });
      await post({ id: 3, method: 'tools/call', params: listed });
    },
  };
}

/** Milliseconds of what an answer takes beyond the finding, as the answer itself tells. */
function answeringMs(body: string): number {
  const [, done = '{}'] = /^event: done\ndata: (.*)$/mu.exec(body) ?? [];
  const { explain } = JSON.parse(done) as { explain: { stages: { name: string; ms: number }[] } };
  const at = explain.stages.findIndex(({ name }) => name === LAST_OF_FINDING);
  return explain.stages.slice(at + 1).reduce((sum, { ms }) => sum + ms, 0);
}

/** `search` over MCP beside `POST /search`, whole and without its answer. */
async function measureSearch(engram: TestApp, token: string, apiKey: string) {
  const caller = createCaller(engram, apiKey);
  const asker = startAsker({ url: engram.baseUrl, token });
  const text = createLibraryText(SEED);
  const times = { whole: [] as number[], finding: [] as number[], mcp: [] as number[] };
  for (let number = 0; number < QUESTIONS + WARM_UP; number += 1) {
    const question = text.question();
    const searched = async (): Promise<number> => {
      const begin = performance.now();
      await caller.search(question);
      return performance.now() - begin;
    };
    // Whoever comes second finds what the first has read: they take turns.
    const before = number % 2 === 0 ? await searched() : null;
    const { ms, body } = await asker.ask({ text: question, streamed: true });
    const took = before ?? (await searched());
    if (number < WARM_UP) continue;
    times.whole.push(ms);
    times.finding.push(ms - answeringMs(body));
    times.mcp.push(took);
  }
  await asker.close();
  const [wholeMs, findingMs, mcpMs] = [times.whole, times.finding, times.mcp].map((each) =>
    percentile(each, 0.5),
  );
  return {
    chunks: CHUNKS,
    'POST /search ms': wholeMs,
    'without its answer ms': findingMs,
    'search over MCP ms': mcpMs,
    'above ms': round((mcpMs ?? 0) - (findingMs ?? 0)),
  };
}

/** What the heap keeps after the sessions of a thousand assistants, and after those of a thousand more. */
async function measureSessions(engram: TestApp, apiKey: string) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const caller = createCaller(engram, apiKey);
  const rows: object[] = [];
  for (const [after, count] of [
    ['200 sessions', 200],
    ['1,000 more', SESSIONS],
    ['1,000 more', SESSIONS],
    ['1,000 more', SESSIONS],
  ] as const) {
    for (let number = 0; number < count; number += 1) await caller.session(number);
    collect();
    const heapMb = round(process.memoryUsage().heapUsed / 1_048_576);
    rows.push({ after, heapMb, residentMb: round(residentMegabytes(process.pid)) });
  }
  return rows;
}

/** The speed of `search` over MCP, and what sessions leave behind. */
export async function run() {
  const engram = await buildTestApp({ checkAnswers: false });
  try {
    const user = await engram.signIn('bench@example.org');
    const apiKey = await makeKey(user);
    await fillLibrary(engram, user.userId, createLibraryText(SEED), CHUNKS);
    return [
      {
        title: 'search over MCP, medians',
        rows: [await measureSearch(engram, user.token, apiKey)],
      },
      {
        title: 'Memory after sessions over MCP, half of each generation',
        rows: await measureSessions(engram, apiKey),
      },
    ];
  } finally {
    await engram.close();
  }
}

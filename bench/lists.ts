import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engram } from '../tests/e2e/engram.ts';
import { fillLists } from './fill-lists.ts';
import { EMAIL, percentile, round, signIn, startServer, type Table } from './setup.ts';

const LISTS = { files: 10_000, questions: 10_000, accounts: 10_000 };
const CALLS = 40;
const WARM_UP = 10;

/** Calls for one page of a list. */
const calls = [
  '/artifacts?limit=10&offset=0',
  '/artifacts?limit=10&archived=false',
  '/artifacts?limit=10&archived=false&offset=9490',
  '/artifacts?limit=10&offset=5000',
  ...['created', 'name', '-name', 'size', '-size'].map(
    (sort) => `/artifacts?limit=10&offset=0&sort=${sort}`,
  ),
  '/artifacts?limit=10&offset=9990&sort=name',
  '/artifacts?limit=10&q=report',
  '/artifacts?limit=10&q=nothing%20of%20that%20name',
  '/artifacts?limit=10&archived=true',
  '/artifacts?limit=10&keyword=Finance',
  '/artifacts?limit=10&q=a&archived=false&keyword=Finance&sort=name',
  '/artifacts?limit=400&archived=false&offset=0',
  '/artifacts?limit=400&archived=false&offset=9200',
  '/artifacts?limit=1000',
  '/search/history/all?limit=50',
  '/search/history/all?limit=50&brief=true',
  '/search/history/all?limit=50&brief=true&q=deposit',
  '/search/history/threads?limit=50',
  '/search/history/threads?limit=50&q=deposit',
  '/user/profile/emails?limit=50',
  '/user/profile/emails?limit=50&q=person99',
  '/admin/users?limit=50',
  '/admin/users?limit=50&q=person99',
];

/** Calls for all rows, which clients without parameters make. */
const unpagedCalls = ['/artifacts', '/search/history/all', '/user/profile/emails'];

async function timeCall(url: string, token: string, times: number) {
  const ms: number[] = [];
  let bytes = 0;
  for (let n = 0; n < times; n += 1) {
    const begin = performance.now();
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const body = await response.text();
    ms.push(performance.now() - begin);
    if (!response.ok) throw new Error(`${url} returned ${response.status}: ${body}`);
    bytes = body.length;
  }
  return { ms, bytes };
}

async function timeCalls(engram: Engram, token: string): Promise<object[]> {
  const rows: object[] = [];
  for (const call of [...calls, ...unpagedCalls]) {
    const url = `${engram.url}/v1${call}`;
    const isUnpaged = unpagedCalls.includes(call);
    if (!isUnpaged) await timeCall(url, token, WARM_UP);
    const { ms, bytes } = await timeCall(url, token, isUnpaged ? 3 : CALLS);
    rows.push({
      call,
      medianMs: percentile(ms, 0.5),
      p95Ms: percentile(ms, 0.95),
      kb: round(bytes / 1000),
    });
  }
  return rows;
}

/** The lists of an account with 10,000 files and questions, on a server with 10,000 accounts. */
export async function run(): Promise<Table[]> {
  await using dataDir = await mkdtempDisposable(join(tmpdir(), 'engram-bench-'));
  await fillLists(dataDir.path, EMAIL, LISTS);
  await using engram = await startServer({
    ENGRAM_DATA_DIR: dataDir.path,
    ENGRAM_ADMIN_EMAILS: EMAIL,
  });
  const { token } = await signIn(engram);
  return [{ title: 'A call for a list, milliseconds', rows: await timeCalls(engram, token) }];
}

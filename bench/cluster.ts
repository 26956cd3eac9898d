import { setTimeout as wait } from 'node:timers/promises';
import { search, searchReady, uploadArtifacts } from '@engram/contract';
import { canCluster, type Cluster, startCluster } from '../tests/e2e/cluster.test-setup.ts';
import { percentile, round } from './index-corpus.ts';
import { createLibraryText } from './library-text.ts';
import { postgresSeconds, processorSeconds } from './processor-time.ts';
import { watchStatements } from './statement-count.ts';

/** What a number of servers takes, all of them together. */
interface Taken {
  statements: number;
  serversMs: number;
  postgresMs: number;
}

/** What one question takes, less what the servers take in the same time while nobody asks. */
interface QuestionRow extends Taken {
  servers: number;
  medianMs: number;
}

/** What a second takes in which nobody asks. */
interface IdleRow extends Taken {
  servers: number;
}

const FILES = 200;
const FILES_PER_UPLOAD = 50;
const PARAGRAPHS = 10;
/** Each server is asked all of them, so that three are as warm as a single one at each. */
const QUESTIONS = 100;
const WARM_UP = 60;
const SETTLE_MS = 3000;
const IDLE_MS = 10_000;
/** Each number of servers twice, in turns: what else the machine does meets both. */
const RUNS = [1, 3, 1, 3];
const EMAIL = 'bench@example.org';

interface Bench {
  cluster: Cluster;
  token: string;
  /** Statements of all servers so far. */
  statements: () => number;
}

async function fill({ cluster, token }: Bench): Promise<void> {
  const text = createLibraryText(7);
  const client = cluster.clientOn(0, token);
  for (let from = 0; from < FILES; from += FILES_PER_UPLOAD) {
    const files = Array.from({ length: FILES_PER_UPLOAD }, (_, at) => ({
      name: `report ${from + at}.txt`,
      content: new Blob([text.file(PARAGRAPHS)]),
    }));
    await client.upload(uploadArtifacts, files, {});
  }
  while (!(await client.call(searchReady, {})).data) await wait(200);
}

/** Asks one question after the other, each server each of them; answers the milliseconds. */
async function ask({ cluster, token }: Bench, seed: number, count: number): Promise<number[]> {
  const text = createLibraryText(seed);
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const body = { text: text.question(), audio: false };
    for (let server = 0; server < cluster.servers.length; server += 1) {
      const begin = performance.now();
      await cluster.clientOn(server, token).call(search, { body });
      times.push(performance.now() - begin);
    }
  }
  return times;
}

/** What was taken while something went on. */
async function takenBy(
  { cluster, statements }: Bench,
  work: () => Promise<unknown>,
): Promise<Taken & { seconds: number }> {
  const now = async () => ({
    statements: statements(),
    serversMs:
      1000 * cluster.servers.reduce((sum, { child }) => sum + processorSeconds(child.pid ?? 0), 0),
    postgresMs: 1000 * (await postgresSeconds(cluster.pool)),
    seconds: performance.now() / 1000,
  });
  const before = await now();
  await work();
  const after = await now();
  return {
    statements: after.statements - before.statements,
    serversMs: after.serversMs - before.serversMs,
    postgresMs: after.postgresMs - before.postgresMs,
    seconds: after.seconds - before.seconds,
  };
}

async function measure(bench: Bench, servers: number): Promise<[QuestionRow, IdleRow]> {
  await bench.cluster.stop();
  await Promise.all(Array.from({ length: servers }, bench.cluster.add));
  await ask(bench, 11, WARM_UP);
  await wait(SETTLE_MS);
  const idle = await takenBy(bench, () => wait(IDLE_MS));
  let times: number[] = [];
  const asked = await takenBy(bench, async () => (times = await ask(bench, 13, QUESTIONS)));
  const ofSecond = (what: keyof Taken): number => idle[what] / idle.seconds;
  const ofQuestion = (what: keyof Taken): number =>
    (asked[what] - ofSecond(what) * asked.seconds) / times.length;
  const each = (value: (what: keyof Taken) => number): Taken => ({
    statements: round(value('statements')),
    serversMs: round(value('serversMs')),
    postgresMs: round(value('postgresMs')),
  });
  return [
    { servers, ...each(ofQuestion), medianMs: percentile(times, 0.5) },
    { servers, ...each(ofSecond) },
  ];
}

/**
 * What one question costs where one server answers all of them, and where three take turns over the
 * same services, which `npm run with-services` starts (Linux only).
 */
export async function run(): Promise<{ title: string; rows: object[] }[]> {
  const title = 'What a question takes of one server, and of three in turn';
  if (!canCluster) {
    return [{ title: `${title}: left out, npm run with-services brings what it needs`, rows: [] }];
  }
  let statements = 0;
  const listen = () => watchStatements(() => (statements += 1));
  const cluster = await startCluster(1, { listen });
  try {
    const bench: Bench = {
      cluster,
      token: await cluster.signIn(EMAIL, 0),
      statements: () => statements,
    };
    await fill(bench);
    const measured: [QuestionRow, IdleRow][] = [];
    for (const servers of RUNS) measured.push(await measure(bench, servers));
    return [
      { title, rows: measured.map(([asked]) => asked) },
      { title: 'What a second takes in which nobody asks', rows: measured.map(([, idle]) => idle) },
    ];
  } finally {
    await cluster.close();
  }
}

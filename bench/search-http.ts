import { join } from 'node:path';
import { connect, MatchQuery } from '@lancedb/lancedb';
import { search, uploadArtifacts } from '@engram/contract';
import {
  buildTestApp,
  type SignedInUser,
  type TestApp,
} from '../apps/server/src/testing/test-app.ts';
import { createCorpus, percentile } from './index-corpus.ts';

export interface SearchHttpRow {
  what: string;
  medianMs: number;
  p95Ms: number;
}

const QUESTIONS = 200;
/** How many ask at once, each the next question when the last is answered. */
const ASKERS = [2, 3];
const WARM_UP = 20;
const CHUNKS_PER_FILE = 100;
const SENTENCES_PER_CHUNK = 17;

/** About 1,000 characters a chunk, in sentences of a dozen words. */
function fileText(corpus: ReturnType<typeof createCorpus>): string {
  const sentence = (): string => `${Array.from({ length: 12 }, corpus.word).join(' ')}.`;
  const paragraph = (): string => Array.from({ length: SENTENCES_PER_CHUNK }, sentence).join(' ');
  return Array.from({ length: CHUNKS_PER_FILE }, paragraph).join('\n\n');
}

async function fillLibrary(engram: TestApp, user: SignedInUser, chunks: number) {
  const corpus = createCorpus(7);
  for (let made = 0; made < chunks; made += CHUNKS_PER_FILE) {
    const content = new Blob([fileText(corpus)]);
    await user.client.upload(uploadArtifacts, [{ name: `file-${made}.txt`, content }], {});
  }
  await engram.settled();
  await engram.deps.index.compact(user.userId);
  return corpus;
}

/** Some people with one library asking at once: none of them should wait for all the others. */
async function askAtOnce(
  { client }: SignedInUser,
  corpus: ReturnType<typeof createCorpus>,
  askers: number,
  note: (what: string, ms: number) => void,
): Promise<void> {
  const texts = Array.from({ length: QUESTIONS }, () => `${corpus.question().join(' ')}?`);
  const askOn = async (): Promise<void> => {
    for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
      const begin = performance.now();
      await client.call(search, { body: { text, audio: false } });
      note(`POST /search, ${askers} askers at once`, performance.now() - begin);
    }
  };
  await Promise.all(Array.from({ length: askers }, askOn));
}

/** `POST /search` over HTTP beside the bare engine's query for the same words, question by question. */
export async function run(chunks = 10_000): Promise<{ title: string; rows: SearchHttpRow[] }> {
  const engram = await buildTestApp({
    env: { ENGRAM_LOG_LEVEL: 'warn' },
    checkAnswers: false,
  });
  try {
    const user = await engram.signIn('bench@example.org');
    const corpus = await fillLibrary(engram, user, chunks);
    const connection = await connect(join(engram.folder, 'index', user.userId, 'v1'));
    const table = await connection.openTable('main');
    const times = new Map<string, number[]>();
    const note = (what: string, ms: number): void => {
      times.set(what, [...(times.get(what) ?? []), ms]);
    };
    for (let number = 0; number < QUESTIONS + WARM_UP; number += 1) {
      const words = corpus.question();
      const begin = performance.now();
      const query = new MatchQuery(words.join(' '), 'terms');
      await table.query().fullTextSearch(query).limit(50).toArray();
      const middle = performance.now();
      const body = { text: `${words.join(' ')}?`, audio: false, explain: true };
      const { data } = await user.client.call(search, { body });
      const end = performance.now();
      if (number < WARM_UP) continue;
      note('raw LanceDB query', middle - begin);
      note('POST /search over HTTP', end - middle);
      for (const { name, ms } of data.explain?.stages ?? []) note(`· ${name}`, ms);
    }
    connection.close();
    for (const askers of ASKERS) await askAtOnce(user, corpus, askers, note);
    const rows = [...times].map(([what, values]) => ({
      what,
      medianMs: percentile(values, 0.5),
      p95Ms: percentile(values, 0.95),
    }));
    const { mainRows } = await engram.deps.index.stats(user.userId);
    return { title: `Asking over HTTP, ${mainRows} chunks`, rows };
  } finally {
    await engram.close();
  }
}

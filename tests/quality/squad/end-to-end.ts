import { search, type SearchData, uploadArtifacts } from '@engram/contract';
import {
  buildTestApp,
  type SignedInUser,
  type TestApp,
} from '../../../apps/server/src/tests/app.test-setup.ts';
import { type EvalDocument, loadDataset, loadUnanswerable } from '../retrieval/datasets.ts';
import { normalizeAnswer } from '../retrieval/metrics.ts';

/** Shares of the questions, 0 to 1. */
interface SquadFigures {
  questions: number;
  /** The first section is from the right artifact. */
  first: number;
  /** It is among the first five artifacts found. */
  withinFive: number;
  /** The answer is in the first section. */
  answered: number;
  /** … in one of the first three. */
  answeredInThree: number;
  /** Questions that are answered with "Your files don't seem to say." */
  flagged: number;
}

const FILES_PER_UPLOAD = 100;
const ASKED_AT_ONCE = 2;

/** Uploads each document as a text file. Returns artifact ids by document id. */
async function uploadDocuments(
  engram: TestApp,
  user: SignedInUser,
  documents: readonly EvalDocument[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (let at = 0; at < documents.length; at += FILES_PER_UPLOAD) {
    const batch = documents.slice(at, at + FILES_PER_UPLOAD);
    const { data } = await user.client.upload(
      uploadArtifacts,
      batch.map(({ id, text }) => ({ name: `${id}.txt`, content: new Blob([text]) })),
      {},
    );
    data.artifacts.forEach(({ artifactId }, i) => ids.set(batch[i]?.id ?? '', artifactId));
  }
  await engram.settled();
  return ids;
}

async function askAll<T>(
  user: SignedInUser,
  queries: readonly { id: string; text: string }[],
  judge: (query: { id: string; text: string }, data: SearchData) => T,
): Promise<T[]> {
  const results: T[] = [];
  const waiting = [...queries];
  const worker = async (): Promise<void> => {
    for (let query = waiting.pop(); query; query = waiting.pop()) {
      const body = { text: query.text.slice(0, 300), audio: false };
      const { data } = await user.client.call(search, { body });
      results.push(judge(query, data));
    }
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, worker));
  return results;
}

const share = (flags: readonly boolean[]): number =>
  flags.filter(Boolean).length / Math.max(1, flags.length);

/**
 * Asks questions of the set over HTTP and measures the answers.
 * @param every asks every nth question. Default: all
 */
export async function measureSquad(engram: TestApp, every = 1): Promise<SquadFigures> {
  const dataset = loadDataset('squad');
  const queries = dataset.queries.filter((_, i) => i % every === 0);
  const user = await engram.signIn('squad@example.org');
  const ids = await uploadDocuments(engram, user, dataset.documents);
  const answers = new Map(queries.map(({ id, answers: gold = [] }) => [id, gold]));
  const outcomes = await askAll(user, queries, (query, data) => {
    const gold = new Set(
      [...(dataset.grades.get(query.id) ?? [])].map(([doc]) => ids.get(doc) ?? ''),
    );
    const isAnswered = (text: string): boolean => {
      const plain = normalizeAnswer(text);
      return (answers.get(query.id) ?? []).some((answer) =>
        plain.includes(normalizeAnswer(answer)),
      );
    };
    const texts = data.found.map(({ text }) => text);
    const files = [...data.found, ...data.similar_vectors].map(({ artifactId }) => artifactId);
    return {
      first: gold.has(files[0] ?? ''),
      five: [...new Set(files)].slice(0, 5).some((id) => gold.has(id)),
      answered: isAnswered(texts[0] ?? ''),
      three: texts.slice(0, 3).some(isAnswered),
      flagged: !data.grounded,
    };
  });
  return {
    questions: outcomes.length,
    first: share(outcomes.map(({ first }) => first)),
    withinFive: share(outcomes.map(({ five }) => five)),
    answered: share(outcomes.map(({ answered }) => answered)),
    answeredInThree: share(outcomes.map(({ three }) => three)),
    flagged: share(outcomes.map(({ flagged }) => flagged)),
  };
}

/** The share of unanswerable questions that are flagged. */
export async function measureUnanswerable(engram: TestApp): Promise<number> {
  const { documents } = loadDataset('squad');
  const flagged: boolean[] = [];
  for (const [i, { exclude_docs: excluded, queries }] of loadUnanswerable().entries()) {
    const user = await engram.signIn(`unanswerable-${i}@example.org`);
    const library = documents.filter(({ id }) => !excluded.includes(id));
    await uploadDocuments(engram, user, library);
    flagged.push(...(await askAll(user, queries, (_, data) => !data.grounded)));
  }
  return share(flagged);
}

/** Starts a server, asks it all questions and prints the figures. */
export async function reportOnSquad(): Promise<void> {
  const engram = await buildTestApp({ env: { ENGRAM_LIMITS: 'off' } });
  try {
    console.log(await measureSquad(engram));
    console.log('Unanswerable questions flagged:', await measureUnanswerable(engram));
  } finally {
    await engram.close();
  }
}

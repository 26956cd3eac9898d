import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Client } from '../../../packages/client/src/index.ts';
import { search, type SearchData, uploadArtifacts } from '../../../packages/contract/src/index.ts';
import { buildTestApp } from '../../../apps/server/src/tests/app.test-setup.ts';
import { FOLDERS, loadQuestions, SET } from './questions.ts';
import { startReader } from './reader.ts';

const FILES_PER_UPLOAD = 40;

async function uploadFolder(client: Client, folder: string): Promise<string[]> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const refused: string[] = [];
  for (let at = 0; at < paths.length; at += FILES_PER_UPLOAD) {
    const files = paths.slice(at, at + FILES_PER_UPLOAD).map((path) => ({
      name: basename(path).normalize('NFC'),
      content: new Blob([readFileSync(path)]),
    }));
    const { data } = await client.upload(uploadArtifacts, files, {});
    refused.push(...data.rejected.map(({ fileName }) => fileName));
  }
  return refused;
}

const ask = async (client: Client, text: string, after?: string): Promise<SearchData> =>
  (
    await client.call(search, {
      body: { text, audio: false, explain: true, ...(after ? { after } : {}) },
    })
  ).data;

/** The data folder of an earlier run with the same files. Null to extract the files in each run. */
function cachedLibrary(): { dataDir: string; isRead: boolean } | null {
  const dataDir = process.env['ENGRAM_QUALITY_LIBRARY'];
  if (dataDir === undefined) return null;
  const isRead = existsSync(dataDir) && readdirSync(dataDir).length > 0;
  mkdirSync(dataDir, { recursive: true });
  return { dataDir, isRead };
}

/**
 * Asks a complete server every question of the set. A reader that is right whenever it sees the
 * right passage replaces the model. Prints the scores of the scoring program that belongs to the
 * set, and how often the reader saw the required passages. ENGRAM_QUALITY_LIBRARY names a folder
 * that caches extracted files.
 * @param options of the scoring program: '--each' reports every question
 */
export async function reportWithReader(options: readonly string[] = []): Promise<void> {
  if (FOLDERS.length === 0) {
    console.log('The private library or its manuals (ENGRAM_QUALITY_MANUALS) were not found.');
    return;
  }
  const questions = loadQuestions();
  const reader = await startReader(questions);
  const library = cachedLibrary();
  const engram = await buildTestApp({
    env: { ENGRAM_LLM: 'openai:reader', OPENAI_BASE_URL: reader.url, OPENAI_API_KEY: 'none' },
    ...(library === null ? {} : { dataDir: library.dataDir }),
    checkResponses: false,
  });
  const folder = mkdtempSync(join(tmpdir(), 'engram-reader-'));
  try {
    const { client } = await engram.signIn('marta@example.org');
    const refused: string[] = [];
    for (const each of library?.isRead ? [] : FOLDERS) {
      refused.push(...(await uploadFolder(client, each)));
    }
    await engram.settled();
    console.log(`\nA private library with a reader; not read: ${refused.join(', ') || 'none'}`);
    const lines: string[] = [];
    let shown = 0;
    for (const question of questions) {
      const { id, q, prev } = question;
      const before = prev === undefined ? undefined : await ask(client, prev);
      const start = performance.now();
      const { answers, grounded, citations, similar_vectors } = await ask(
        client,
        q,
        before?.history_id,
      );
      const ms = Math.round(performance.now() - start);
      const cited = citations.map(({ fileName }) => fileName);
      const ranked = similar_vectors.map(({ fileName }) => fileName);
      const reply = reader.heard(q);
      if (reply?.answered) shown += 1;
      lines.push(
        JSON.stringify({ id, answer: answers[0], grounded, cited, ranked, ms, heard: reply }),
      );
    }
    const file = process.env['ENGRAM_QUALITY_ANSWERS'] ?? join(folder, 'answers.jsonl');
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    console.log(
      execFileSync(process.execPath, [join(SET, 'grade.mjs'), file, ...options]).toString(),
    );
    console.log(`shown what it needed           ${shown}`);
  } finally {
    rmSync(folder, { recursive: true });
    await engram.close();
    await reader.close();
  }
}

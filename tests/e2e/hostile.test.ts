import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@engram/client';
import {
  type Artifact,
  getArtifactText,
  listArtifacts,
  search,
  searchReady,
  uploadArtifacts,
  type UploadResult,
} from '@engram/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { cleanFileName } from '../../apps/server/src/features/artifacts/file-name.ts';
import { type Engram, signIn, startEngram } from './engram.ts';

/** Malicious files, which are outside of the project. */
const folder = path.resolve(import.meta.dirname, '../../../shared/evaldata/files/hostile');
const GOOD_FILES = 20;
const MAX_GROWTH_MB = 300;
const longWait = { timeout: 480_000, interval: 200 };

interface Case {
  file: string;
  upload_as?: string;
  correct: string;
  must_contain?: string[];
  must_contain_if_indexed?: string[];
  must_not_contain?: string[];
  question?: string;
  answer?: string;
  must_not_answer?: string[];
}

/** The result of a case: refused at the upload or the extraction, or extracted. */
type Outcome = { refused: string } | { artifact: Artifact; text: string };

const REFUSAL_REASONS: Record<string, RegExp> = {
  'bomb_flat_256mb.zip': /unpack|too large|too much/iu,
  'bomb_overlap.zip': /unpack|overlap|too large|too much|damaged/iu,
  'enc_pdf_pw_1234.pdf': /password-protected/u,
  'enc_testWORD_protected_passtika.docx': /password-protected/u,
  'enc_testPPT_protected_passtika.ppt': /password-protected/u,
  'trunc.docx': /damaged/u,
  'trunc.mp4': /damaged|truncated/u,
  'elf_named.jpg': /type/u,
  'binary_noise.txt': /type|text/u,
  'png_30000x30000.png': /megapixels/u,
  'gif_65535.gif': /megapixels/u,
  'deep_100k.json': /deep|nested|damaged/u,
};

const normal = (text: string): string => text.toLowerCase().replace(/\s+/gu, ' ');

const cases: Case[] = existsSync(folder)
  ? (await readFile(path.join(folder, 'manifest.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Case)
  : [];

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1] ?? 0) / 1024;
}

describe.runIf(cases.length > 0)('the hostile folder together with good files', () => {
  let engram: Engram;
  let client: Client;
  let token: string;
  let uploaded: UploadResult;
  let artifacts: Artifact[];
  let before = 0;
  let pid = 0;
  const names = cases.map(({ file, upload_as: name }) => name ?? file);
  const outcomes: Outcome[] = [];

  const ready = () =>
    vi.waitFor(async () => {
      expect((await client.call(searchReady, {})).data).toBe(true);
    }, longWait);

  async function textOf({ artifactId }: Artifact): Promise<string> {
    const address = getArtifactText.path.replace('{artifactId}', artifactId);
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${engram.url}/v1${address}`, { headers })).text();
  }

  beforeAll(async () => {
    engram = await startEngram({ ENGRAM_RATE_LIMITS: 'off', ENGRAM_LLM: 'none' });
    token = await signIn(engram, 'eve@example.org');
    client = createClient({ baseUrl: `${engram.url}/v1`, token: () => token });
    const first = [{ name: 'first.txt', content: new Blob(['The first file warms the tables.']) }];
    await client.upload(uploadArtifacts, first, {});
    await ready();
    pid = engram.pid();
    before = await residentMegabytes(pid);

    const good = Array.from({ length: GOOD_FILES }, (_, n) => ({
      name: `good-${n}.txt`,
      content: new Blob([`The good file ${n} says that the harbour has code HB${n}.`]),
    }));
    const bad = await Promise.all(
      cases.map(async ({ file }, n) => ({
        name: names[n] ?? file,
        content: new Blob([new Uint8Array(await readFile(path.join(folder, file)))]),
      })),
    );
    uploaded = (await client.upload(uploadArtifacts, [...bad, ...good], {})).data;
    await ready();
    artifacts = (await client.call(listArtifacts, {})).data;
    const refused = new Map(uploaded.rejected.map(({ fileName, message }) => [fileName, message]));
    const idsByName = new Map(
      uploaded.artifacts.map((artifact) => [artifact.fileName, artifact.artifactId]),
    );
    for (const name of names.map((name) => cleanFileName(name))) {
      const message = refused.get(name);
      const artifact = artifacts.find(({ artifactId }) => artifactId === idsByName.get(name));
      if (message !== undefined) outcomes.push({ refused: message });
      else if (artifact === undefined) throw new Error(`${name} was lost.`);
      else if (artifact.uploadStatus === 'FAILED') {
        outcomes.push({ refused: artifact.statusReason ?? '' });
      } else outcomes.push({ artifact, text: await textOf(artifact) });
    }
  }, 600_000);
  afterAll(() => engram?.close());

  test.for(cases.map((row, n) => ({ ...row, n })))('$file: $correct', async (row) => {
    const outcome = outcomes[row.n] as Outcome;
    const refusal = 'refused' in outcome ? outcome.refused : '';
    const text = 'text' in outcome ? normal(outcome.text) : '';
    const reason = row.file.startsWith('empty.') ? /empty/u : REFUSAL_REASONS[row.file];
    expect(refusal).toMatch(reason ?? /^/u);
    const expected = [...(row.must_contain ?? []), ...(row.must_contain_if_indexed ?? [])];
    expect(expected.filter((phrase) => !text.includes(normal(phrase)))).toEqual([]);
    expect((row.must_not_contain ?? []).filter((phrase) => text.includes(normal(phrase)))).toEqual(
      [],
    );
  });

  test('the good files are all ready and found', async () => {
    const good = artifacts.filter(({ artifactFileName: name }) => /^good-\d+\.txt$/u.test(name));
    expect(good).toHaveLength(GOOD_FILES);
    expect(good.filter(({ isVectorReady }) => !isVectorReady)).toEqual([]);
    const body = { text: 'Which good file says that the harbour has code HB7?' };
    const { data } = await client.call(search, { body });
    expect(data.citations[0]?.fileName).toBe('good-7.txt');
  });

  test('answers do not follow instructions in files', async () => {
    const questionCases = cases.filter(({ question }) => question !== undefined);
    for (const { question = '', answer = '', must_not_answer: forbidden = [] } of questionCases) {
      const { data } = await client.call(search, { body: { text: question } });
      const answerText = data.answers.join(' ');
      expect(answerText).toContain(answer);
      expect(forbidden.filter((word) => answerText.includes(word))).toEqual([]);
    }
  });

  test('the server never restarts, and releases its memory', async () => {
    expect(engram.pid()).toBe(pid);
    expect(existsSync('/tmp/evil.txt')).toBe(false);
    let memory = Infinity;
    for (let tries = 0; tries < 120 && memory > before + MAX_GROWTH_MB; tries += 1) {
      memory = await residentMegabytes(pid);
      await sleep(500);
    }
    expect(memory).toBeLessThan(before + MAX_GROWTH_MB);
  });
});

test.skipIf(cases.length > 0)('the hostile files are missing: they were not checked', () => {
  expect(cases).toEqual([]);
});

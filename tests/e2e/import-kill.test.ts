import { createHash, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Client, createClient } from '@engram/client';
import {
  getMetrics,
  importAccount,
  listArtifacts,
  listHistory,
  listKeywords,
  searchReady,
} from '@engram/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { storedZip } from '../../apps/server/src/tests/archives.test-setup.ts';
import { type Engram, signIn, startEngram } from './engram.ts';

/** Files and entries are imported in groups of 50, so a kill leaves some of them. */
const FILES = 70;
const ENTRIES = 800;
const longWait = { timeout: 120_000, interval: 10 };

let engram: Engram;
let client: Client;

beforeAll(async () => {
  engram = await startEngram({
    ENGRAM_RATE_LIMITS: 'off',
    ENGRAM_LLM: 'none',
    ENGRAM_LIMITS: 'enforce',
  });
  const token = await signIn(engram, 'ada@example.org');
  client = createClient({ baseUrl: `${engram.url}/v1`, token: () => token });
});
afterAll(() => engram.close());

const date = '2026-03-10T09:00:00.000Z';
const keywords = ['Boats', 'Stones'];

const files = Array.from({ length: FILES }, (_, n) => {
  const bytes = Buffer.from(`Note ${n}.\n\nThe stone of note ${n} has the code QY${7000 + n}.\n`);
  const name = `note ${n}.txt`;
  const about = {
    id: randomUUID(),
    name,
    path: `files/${name}`,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
    type: 'text/plain',
    keywords: [keywords[n % 2]],
    archived: false,
    source: 'Web',
    device: null,
    createdDate: date,
    updatedDate: date,
  };
  return { about, bytes };
});

const entries = Array.from({ length: ENTRIES }, (_, n) => {
  const { about } = files[n % FILES]!;
  const quote = `Note ${n % FILES}.`;
  return {
    id: randomUUID(),
    question: `What does note ${n % FILES} say, asked ${n} times?`,
    answer: `${quote} [1]`,
    grounded: true,
    notice: null,
    citations: [
      {
        n: 1,
        artifactId: about.id,
        fileName: about.name,
        location: { line: 1 },
        quote,
        start: 0,
        end: quote.length,
      },
    ],
    related: [],
    recommendations: [],
    keywords: [],
    latitude: null,
    longitude: null,
    ip: null,
    device: null,
    saved: false,
    archived: false,
    follows: null,
    date: new Date(Date.parse(date) + n * 1000).toISOString(),
  };
});

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const zip = storedZip({
  'manifest.json': json({ format: 'engram-export', version: 1, madeAt: date, madeBy: 'Engram' }),
  'files.json': json(files.map(({ about }) => about)),
  'history.json': json(entries),
  'keywords.json': json(
    keywords.map((keyword) => ({ keyword, active: true, default: false, createdDate: date })),
  ),
  ...Object.fromEntries(files.map(({ about, bytes }) => [about.path, bytes])),
});

const importZip = async () =>
  (await client.upload(importAccount, [{ name: 'e.zip', content: new Blob([zip]) }], {})).data;

const totalOf = {
  files: async () => (await client.call(listArtifacts, { query: { limit: 1 } })).total ?? 0,
  history: async () => (await client.call(listHistory, { query: { limit: 1 } })).total ?? 0,
};

/** Starts the import, kills and restarts the server once some are imported, and returns their number. */
async function killAfterFirst(kind: keyof typeof totalOf): Promise<number> {
  const importing = importZip().then(
    () => 'done',
    () => 'broken off',
  );
  await vi.waitFor(async () => expect(await totalOf[kind]()).toBeGreaterThan(0), longWait);
  await engram.kill();
  expect(await importing).toBe('broken off');
  await engram.restart();
  return totalOf[kind]();
}

/** The artifacts with stored bytes. A kill may leave an empty folder. */
async function storedArtifacts(): Promise<string[]> {
  const folder = path.join(engram.dataDir, 'files');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const folders = entries.filter((entry) => entry.isFile()).map(({ parentPath }) => parentPath);
  return [...new Set(folders.map((parent) => path.relative(folder, parent).split(path.sep)[1]))]
    .map(String)
    .toSorted();
}

test(
  'an import that is killed twice and sent again adds every entry once',
  { timeout: 300_000 },
  async () => {
    const importedFiles = await killAfterFirst('files');
    expect(importedFiles).toBeLessThan(FILES);
    const killed = await killAfterFirst('history');
    expect(await totalOf.files()).toBe(FILES);
    expect(killed).toBeLessThan(ENTRIES);

    expect(await importZip()).toMatchObject({
      files: { added: 0, present: FILES },
      history: { added: ENTRIES - killed, present: killed },
      rejected: [],
    });
    expect(await importZip()).toMatchObject({
      files: { added: 0, present: FILES },
      history: { added: 0, present: ENTRIES },
      keywords: { added: 0 },
      rejected: [],
    });
    await vi.waitFor(async () => {
      expect((await client.call(searchReady, {})).data).toBe(true);
    }, longWait);

    const { data: artifacts } = await client.call(listArtifacts, { query: {} });
    const byName = new Map(artifacts.map((artifact) => [artifact.artifactFileName, artifact]));
    expect(artifacts).toHaveLength(FILES);
    for (const { about } of files) {
      expect(byName.get(about.name)).toMatchObject({
        artifactFileSize: about.size,
        keywords: about.keywords,
        isVectorReady: true,
      });
    }
    const { data: history } = await client.call(listHistory, { query: {} });
    expect(history.map(({ searchText }) => searchText).toSorted()).toEqual(
      entries.map(({ question }) => question).toSorted(),
    );
    const ids = new Map(
      artifacts.map(({ artifactId, artifactFileName }) => [artifactId, artifactFileName]),
    );
    for (const { citations } of history) {
      expect(citations.map(({ artifactId }) => ids.get(artifactId))).toEqual(
        citations.map(({ fileName }) => fileName),
      );
    }
    const { data: storedKeywords } = await client.call(listKeywords, { query: {} });
    expect(
      storedKeywords
        .map(({ keyword }) => keyword)
        .filter((word) => keywords.includes(word))
        .toSorted(),
    ).toEqual(keywords);

    const { data: metrics } = await client.call(getMetrics, {});
    const stored = files.reduce((total, { bytes }) => total + bytes.length, 0);
    expect(metrics.weekly_file_size).toBeCloseTo(stored / 1e9, 10);
    await vi.waitFor(
      async () => expect(await storedArtifacts()).toEqual([...ids.keys()].toSorted()),
      longWait,
    );
    expect(await readdir(path.join(engram.dataDir, 'imports'))).toEqual([]);
  },
);

import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { embeddingModelFiles } from '../../../../tests/embedding-model.test-setup.ts';
import type { EmbeddingServer } from '../../../../tests/embedding-server.test-setup.ts';
import type { HubPin } from '../../hub.ts';
import type { Embedder } from '../embedder.ts';
import { PINNED } from '../model-source.ts';
import { setUp, type TestSetup } from './embedder.test-setup.ts';

let setup: TestSetup;
let server: EmbeddingServer;

beforeEach(async () => {
  setup = await setUp();
  ({ server } = setup);
});
afterEach(() => setup.dispose());

async function started(embedder: Embedder): Promise<Embedder> {
  embedder.start();
  await embedder.settled();
  return embedder;
}
const detailOf = (embedder: Embedder): string => embedder.describe().detail;

async function fetchedTokenizer(): Promise<string> {
  const first = await started(setup.open('local:someone/tiny'));
  await first.close();
  const modelFolder = path.join(setup.dataDir, 'models', 'someone--tiny');
  const [revision = ''] = await readdir(modelFolder);
  return path.join(modelFolder, revision, 'tokenizer.json');
}

/** The files of the hub, as a pin. */
const pinOf = (change: (content: Buffer) => Buffer = (content) => content): HubPin => ({
  revision: '0123456789abcdef0123456789abcdef01234567',
  files: [...embeddingModelFiles()].map(([name, content]) => ({
    name,
    size: content.length,
    digest: createHash('sha256').update(change(content)).digest('hex'),
    kind: 'sha256' as const,
  })),
});

test('files of a pinned model are verified by digest, and the hub is not asked for a list', async () => {
  const model = 'Xenova/multilingual-e5-small';
  const changed = pinOf((content) => Buffer.concat([content, Buffer.from('x')]));
  const refused = await started(setup.open('auto', { pinned: new Map([[model, changed]]) }));
  expect(detailOf(refused)).toContain(
    'The hub sent config.json with a checksum that this version of Engram does not accept. The file was deleted.',
  );
  const accepted = await started(setup.open('auto', { pinned: new Map([[model, pinOf()]]) }));
  expect(accepted.model()).not.toBeNull();
  expect(server.files.filter((file) => !file.includes('/resolve/'))).toEqual([]);
  // Files that were downloaded before the pin, or under another pin, are not used.
  await accepted.close();
  const other = { ...pinOf(), revision: 'f'.repeat(40) };
  const options = { pinned: new Map([[model, other]]), mayFetch: false };
  expect(detailOf(await started(setup.open('auto', options)))).toContain(
    'is no longer on this machine',
  );
});

test('the model that is downloaded automatically is pinned to one commit, and each file to its SHA-256', () => {
  const pin = PINNED.get('Xenova/multilingual-e5-small');
  expect(pin?.revision).toMatch(/^[0-9a-f]{40}$/u);
  for (const { digest, kind } of pin?.files ?? []) {
    expect([kind, digest.length]).toEqual(['sha256', 64]);
  }
  const bytes = pin?.files.reduce((sum, { size }) => sum + size, 0) ?? 0;
  expect(bytes).toBeGreaterThan(100_000_000);
  expect(bytes).toBeLessThan(150_000_000);
});

test('a hub with a newer revision is asked for the revision that was downloaded first', async () => {
  await rm(await fetchedTokenizer());
  const before = server.files.length;
  expect((await started(setup.open('local:someone/tiny'))).model()).not.toBeNull();
  const requests = server.files.slice(before);
  expect(requests).toHaveLength(1);
  expect(requests[0]).toContain('/resolve/0123456789abcdef0123456789abcdef01234567/tokenizer.json');
  await rm(await fetchedTokenizer());
  server.hub = { kind: 'status', status: 404 };
  expect(detailOf(await started(setup.open('local:someone/tiny')))).toContain(
    'that Engram accepts',
  );
});

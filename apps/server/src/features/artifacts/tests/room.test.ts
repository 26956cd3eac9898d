import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { storedZip } from '../../../tests/archives.test-setup.ts';
import { exportOf, upload } from '../../../tests/exports.test-setup.ts';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const MEGABYTE = 1_048_576;

/** The size of the disk; undefined for the real one. */
let capacity: number | undefined;
/** The largest size of the data folder when the disk was checked. */
let peak = 0;

/** Bytes that uploads, imports and recordings have written. */
async function written(): Promise<number> {
  let bytes = 0;
  for (const name of ['files', 'imports', 'recordings']) {
    const folder = path.join(engram.folder, name);
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const fileStat = await stat(path.join(entry.parentPath, entry.name)).catch(() => null);
      if (fileStat?.isFile()) bytes += fileStat.size;
    }
  }
  peak = Math.max(peak, bytes);
  return bytes;
}

const engram = useTestApp({
  env: {
    ENGRAM_MIN_FREE_MB: '2',
    ENGRAM_LIMITS: 'enforce',
    ENGRAM_TRANSCRIPTION: 'openai:whisper-1',
    OPENAI_API_KEY: 'x',
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  },
  freeBytes: async () => (capacity === undefined ? Infinity : capacity - (await written())),
});
let ann: SignedInUser;

beforeAll(async () => {
  ann = await engram.signIn('ann@example.org');
});

/** Unique text with the given number of bytes. */
function* lines(bytes: number, word: string): Generator<Buffer> {
  for (let offset = 0; offset < bytes; offset += 65_536)
    yield Buffer.alloc(65_536, `${word} ${offset} is here.\n`);
}

/** A form with a file and without Content-Length. */
async function send(call: string, name: string, content: Iterable<Uint8Array>) {
  const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  const body = Readable.from(
    (function* () {
      yield Buffer.from(head);
      yield* content;
      yield Buffer.from('\r\n--x--\r\n');
    })(),
  );
  const response = await fetch(`${engram.baseUrl}${call}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ann.token}`,
      'content-type': 'multipart/form-data; boundary=x',
    },
    body: Readable.toWeb(body) as ReadableStream,
    duplex: 'half',
  } as RequestInit);
  return { status: response.status, ...((await response.json()) as { code: string }) };
}

const FULL = {
  status: 507,
  code: 'disk_full',
  message:
    'The disk of this server is nearly full, so nothing more can be stored. Please ask the server’s operator to free space.',
};

/** The bytes that a call writes on a disk with the given megabytes above its minimum. */
async function onDiskWith(megabytes: number, call: () => Promise<unknown>) {
  const before = await written();
  peak = before;
  capacity = before + (2 + megabytes) * MEGABYTE;
  const answer = await call();
  capacity = undefined;
  const after = await written();
  return { answer, peakSize: (peak - before) / MEGABYTE, stored: after - before };
}

test('an upload without a length is aborted when the disk is nearly full, and nothing is stored', async () => {
  const { answer, peakSize, stored } = await onDiskWith(5, () =>
    send('/artifacts/upload', 'long.txt', lines(30 * MEGABYTE, 'upload')),
  );
  expect(answer).toEqual(FULL);
  expect(peakSize).toBeLessThanOrEqual(7);
  expect(stored).toBe(0);
  const next = await send('/artifacts/upload', 'long.txt', lines(1, 'upload'));
  expect(next.status).toBe(200);
});

test('an import is aborted when the disk is nearly full, during the upload and while it is unpacked', async () => {
  const whole = storedZip({ 'x.txt': Buffer.concat([...lines(20 * MEGABYTE, 'import')]) });
  const uploaded = await onDiskWith(5, () => send('/account/import', 'engram.zip', [whole]));
  expect(uploaded.answer).toMatchObject({ status: 507, code: 'no_room' });
  expect(uploaded.peakSize).toBeLessThanOrEqual(7);
  expect(uploaded.stored).toBe(0);

  await upload(ann, { 'big.txt': Buffer.concat([...lines(3 * MEGABYTE, 'member')]) });
  await engram.settled();
  const packed = await exportOf(ann);
  await fetch(`${engram.baseUrl}/artifacts/all`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${ann.token}` },
  });
  await engram.settled();
  // There is space for the archive, but not for its contents too.
  const unpacking = await onDiskWith(packed.length / MEGABYTE + 1, () =>
    send('/account/import', 'engram.zip', [packed]),
  );
  expect(unpacking.answer).toMatchObject({ status: 507, code: 'no_room' });
  expect(await readdir(path.join(engram.folder, 'imports'))).toEqual([]);
  expect((await send('/account/import', 'engram.zip', [packed])).status).toBe(200);
});

test('a recording is aborted when the disk is nearly full', async () => {
  const { answer, stored } = await onDiskWith(1, () =>
    send('/search/transcribe', 'question.wav', lines(10 * MEGABYTE, 'sound')),
  );
  expect(answer).toEqual(FULL);
  expect(stored).toBe(0);
});

test("an upload without a length is aborted at the plan's storage limit", async () => {
  await engram.deps.database.db.execute(
    sql`UPDATE artifacts SET size = ${10_000_000_000 - 6 * MEGABYTE} WHERE id =
      (SELECT id FROM artifacts WHERE user_id = ${ann.userId} LIMIT 1)`,
  );
  const { answer, peakSize, stored } = await onDiskWith(1000, () =>
    send('/artifacts/upload', 'plan.txt', lines(40 * MEGABYTE, 'plan')),
  );
  expect(answer).toMatchObject({ status: 402, code: 'storage_used_up' });
  expect(peakSize).toBeLessThanOrEqual(14);
  expect(stored).toBe(0);
});

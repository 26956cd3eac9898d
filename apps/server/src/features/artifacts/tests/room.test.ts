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

/** What the disk holds at most; undefined where it is the machine's. */
let capacity: number | undefined;
/** The most that lay in the data folder whenever the disk was looked at. */
let peak = 0;

/** Bytes that uploads, imports and recordings have written. */
async function written(): Promise<number> {
  let bytes = 0;
  for (const name of ['files', 'imports', 'recordings']) {
    const folder = path.join(engram.folder, name);
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const found = await stat(path.join(entry.parentPath, entry.name)).catch(() => null);
      if (found?.isFile()) bytes += found.size;
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

/** Unique text of the given length in bytes. */
function* lines(bytes: number, word: string): Generator<Buffer> {
  for (let at = 0; at < bytes; at += 65_536) yield Buffer.alloc(65_536, `${word} ${at} is here.\n`);
}

/** A form with a file but without Content-Length, as a client may send it. */
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
    'The disk of this server is nearly full, so nothing more can be stored. The operator of the server can free space.',
};

/** What a call writes on a disk with the given megabytes left until its floor. */
async function onDiskWith(megabytes: number, call: () => Promise<unknown>) {
  const before = await written();
  peak = before;
  capacity = before + (2 + megabytes) * MEGABYTE;
  const answer = await call();
  capacity = undefined;
  const after = await written();
  return { answer, most: (peak - before) / MEGABYTE, kept: after - before };
}

test('an upload without a length ends when the disk is nearly full, and none of it is stored', async () => {
  const { answer, most, kept } = await onDiskWith(5, () =>
    send('/artifacts/upload', 'long.txt', lines(30 * MEGABYTE, 'upload')),
  );
  expect(answer).toEqual(FULL);
  expect(most).toBeLessThanOrEqual(7);
  expect(kept).toBe(0);
  const again = await send('/artifacts/upload', 'long.txt', lines(1, 'upload'));
  expect(again.status).toBe(200);
});

test('an import ends where the disk is nearly full, before it is there and while it unpacks', async () => {
  const whole = storedZip({ 'x.txt': Buffer.concat([...lines(20 * MEGABYTE, 'import')]) });
  const arriving = await onDiskWith(5, () => send('/account/import', 'engram.zip', [whole]));
  expect(arriving.answer).toMatchObject({ status: 507, code: 'no_room' });
  expect(arriving.most).toBeLessThanOrEqual(7);
  expect(arriving.kept).toBe(0);

  await upload(ann, { 'big.txt': Buffer.concat([...lines(3 * MEGABYTE, 'member')]) });
  await engram.settled();
  const packed = await exportOf(ann);
  await fetch(`${engram.baseUrl}/artifacts/all`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${ann.token}` },
  });
  await engram.settled();
  // There is room for the archive, and not for what it holds beside it.
  const unpacking = await onDiskWith(packed.length / MEGABYTE + 1, () =>
    send('/account/import', 'engram.zip', [packed]),
  );
  expect(unpacking.answer).toMatchObject({ status: 507, code: 'no_room' });
  expect(await readdir(path.join(engram.folder, 'imports'))).toEqual([]);
  expect((await send('/account/import', 'engram.zip', [packed])).status).toBe(200);
});

test('a recording ends where the disk is nearly full', async () => {
  const { answer, kept } = await onDiskWith(1, () =>
    send('/search/transcribe', 'question.wav', lines(10 * MEGABYTE, 'sound')),
  );
  expect(answer).toEqual(FULL);
  expect(kept).toBe(0);
});

test('an upload without a length ends where the plan stores no more', async () => {
  await engram.deps.database.db.execute(
    sql`UPDATE artifacts SET size = ${10_000_000_000 - 6 * MEGABYTE} WHERE id =
      (SELECT id FROM artifacts WHERE user_id = ${ann.userId} LIMIT 1)`,
  );
  const { answer, most, kept } = await onDiskWith(1000, () =>
    send('/artifacts/upload', 'plan.txt', lines(40 * MEGABYTE, 'plan')),
  );
  expect(answer).toMatchObject({ status: 402, code: 'storage_used_up' });
  expect(most).toBeLessThanOrEqual(14);
  expect(kept).toBe(0);
});

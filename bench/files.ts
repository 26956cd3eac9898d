import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { createDiskFileStore } from '../apps/server/src/platform/files/disk.ts';
import { createDiskRoom } from '../apps/server/src/platform/files/disk-room.ts';
import type { FileStore } from '../apps/server/src/platform/files/files.ts';
import { createLocalCopies } from '../apps/server/src/platform/files/local-copies.ts';
import { createS3FileStore } from '../apps/server/src/platform/files/s3.ts';
import {
  createTestBucket,
  testS3Url,
} from '../apps/server/src/platform/files/tests/s3.test-setup.ts';
import { percentile } from './index-corpus.ts';

/** Seconds, as medians. */
interface FilesRow {
  what: string;
  [store: string]: number | string;
}

/** What is measured of each store, in this order. */
interface Work {
  putLarge(key: string): Promise<unknown>;
  readLarge(key: string): Promise<unknown>;
  putSmall(key: string): Promise<unknown>;
  readSmall(key: string): Promise<unknown>;
  remove(key: string): Promise<unknown>;
}

const ROUNDS = 3;
const BLOCK = randomBytes(8 * 1_048_576);
const BLOCKS = 128;
const SMALL = randomBytes(4_096);
const SMALL_FILES = 1_000;
const AT_ONCE = 16;

const large = () => Readable.from(Array.from({ length: BLOCKS }, () => BLOCK));
const drain = (from: Readable) =>
  pipeline(from, new Writable({ write: (_part, _encoding, done) => done() }));

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>) {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function workOf(store: FileStore): Work {
  return {
    putLarge: (key) => store.write(key, large()),
    readLarge: async (key) => drain(await store.read(key)),
    putSmall: (key) => store.write(key, Readable.from([SMALL])),
    readSmall: async (key) => drain(await store.read(key)),
    remove: (key) => store.remove(key),
  };
}

/** What the S3 server itself can do: bytes that are in memory already, and nothing reckoned from them. */
function bareWork({ bucket: Bucket, client }: Awaited<ReturnType<typeof createTestBucket>>): Work {
  const read = async (Key: string) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    await drain(Body as Readable);
  };
  return {
    async putLarge(Key) {
      const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
      const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
      const numbers = Array.from({ length: BLOCKS }, (_, at) => at + 1);
      await inParallel(numbers, async (PartNumber) => {
        const part = { Bucket, Key, UploadId, PartNumber, Body: BLOCK };
        const { ETag } = await client.send(new UploadPartCommand(part));
        Parts[PartNumber - 1] = { PartNumber, ETag };
      });
      await client.send(
        new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
      );
    },
    readLarge: read,
    putSmall: (Key) => client.send(new PutObjectCommand({ Bucket, Key, Body: SMALL })),
    readSmall: read,
    remove: (Key) => client.send(new DeleteObjectCommand({ Bucket, Key })),
  };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1_000;
}

/** One round over a store: seconds by what was done. */
async function measure(work: Work): Promise<Record<string, number>> {
  const owner = randomUUID();
  const newKey = () => `${owner}/${randomUUID()}/original`;
  const key = newKey();
  const keys = Array.from({ length: SMALL_FILES }, newKey);
  const some = `${SMALL_FILES} small files, ${AT_ONCE} at once:`;
  const times = {
    '1 GB: put': await seconds(() => work.putLarge(key)),
    '1 GB: read': await seconds(() => work.readLarge(key)),
    [`${some} put`]: await seconds(() => inParallel(keys, work.putSmall)),
    [`${some} read`]: await seconds(() => inParallel(keys, work.readSmall)),
    [`${some} delete`]: await seconds(() => inParallel(keys, work.remove)),
  };
  await work.remove(key);
  return times;
}

async function openStores(folder: string) {
  const room = createDiskRoom({ folder, spareBytes: 0 });
  const disk = await createDiskFileStore({ folder: join(folder, 'files'), room });
  if (!testS3Url) return { works: { disk: workOf(disk) }, close: () => disk.close() };
  const bucket = await createTestBucket();
  const copies = await createLocalCopies({ folder: join(folder, 'copies'), room });
  const s3 = await createS3FileStore({ ...bucket, prefix: '', copies });
  return {
    works: { disk: workOf(disk), bucket: workOf(s3), 'bare bucket': bareWork(bucket) },
    close() {
      disk.close();
      s3.close();
      bucket.client.destroy();
    },
  };
}

/**
 * The file stores beside each other, in turns: the disk and, where ENGRAM_TEST_S3_URL names a server,
 * a bucket, and what that server does when it is asked without the store.
 */
export async function run(): Promise<{ title: string; rows: FilesRow[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'engram-bench-files-'));
  const { works, close } = await openStores(folder);
  try {
    const rounds = new Map<string, Record<string, number>[]>();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, work] of Object.entries(works)) {
        rounds.set(name, [...(rounds.get(name) ?? []), await measure(work)]);
      }
    }
    const measured = Object.keys(rounds.get('disk')?.[0] ?? {});
    const rows = measured.map((what) => {
      const medians = [...rounds].map(([name, times]) => {
        const median = percentile(
          times.map((time) => time[what] ?? Number.NaN),
          0.5,
        );
        return [name, Math.round(median * 100) / 100];
      });
      return { what, ...(Object.fromEntries(medians) as Record<string, number>) };
    });
    return { title: `File stores, seconds, medians of ${ROUNDS}`, rows };
  } finally {
    close();
    await rm(folder, { recursive: true, force: true });
  }
}

import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDiskRoom } from '../disk-room.ts';
import { describeFileStore } from './files-suite.test-setup.ts';
import { createLocalCopies } from '../local-copies.ts';
import { createS3FileStore } from '../s3.ts';
import { createTestBucket, testS3Url } from './s3.test-setup.ts';

async function bucketStore() {
  const { bucket, endpoint, client } = await createTestBucket();
  const folder = await mkdtemp(join(tmpdir(), 'engram-copies-'));
  const copies = await createLocalCopies({
    folder,
    room: createDiskRoom({ folder, spareBytes: 0 }),
  });
  const options = { bucket, prefix: 'some/where', endpoint, copies };
  const store = await createS3FileStore(options);
  const dispose = async () => {
    store.close();
    client.destroy();
    await rm(folder, { recursive: true, force: true });
  };
  const unfinished = async () =>
    (await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads ?? [];
  return { store, folder, options, client, unfinished, dispose };
}

async function useBucket() {
  const setup = await bucketStore();
  onTestFinished(setup.dispose);
  return setup;
}

const newKey = () => `${randomUUID()}/${randomUUID()}/original`;

describe.skipIf(!testS3Url)('a real S3 server', () => {
  describeFileStore('S3', bucketStore);

  it('a multipart file is stored, however its bytes are split', async () => {
    const { store, unfinished } = await useBucket();
    const key = newKey();
    const bytes = randomBytes(20_000_001);
    async function* pieces() {
      for (let start = 0; start < bytes.length; start += 1_234_567)
        yield bytes.subarray(start, start + 1_234_567);
    }
    expect((await store.write(key, Readable.from(pieces()))).size).toBe(bytes.length);
    expect((await buffer(await store.read(key))).equals(bytes)).toBe(true);
    const part = await buffer(await store.read(key, { start: 8_388_600, end: 8_388_700 }));
    expect(part.equals(bytes.subarray(8_388_600, 8_388_701))).toBe(true);
    expect(await unfinished()).toEqual([]);
  });

  it('an upload that fails after many parts leaves no file and no parts', async () => {
    const { store, unfinished } = await useBucket();
    async function* failing() {
      for (let part = 0; part < 20; part += 1) yield randomBytes(1_048_576);
      throw new Error('The connection was lost.');
    }
    await expect(store.write(newKey(), Readable.from(failing()))).rejects.toThrow(
      'connection was lost',
    );
    expect(await store.list('')).toEqual([]);
    expect(await unfinished()).toEqual([]);
  });

  it('more files are listed and removed than one call allows', async () => {
    const { store } = await useBucket();
    const user = randomUUID();
    const otherKey = newKey();
    await store.write(otherKey, Readable.from(['kept']));
    const keys = Array.from({ length: 1_100 }, () => `${user}/${randomUUID()}/original`);
    const waiting = keys.values();
    const worker = async () => {
      for (const key of waiting) await store.write(key, Readable.from(['small']));
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    expect(await store.list(user)).toEqual(keys.toSorted());
    await store.removePrefix(user);
    expect(await store.list('')).toEqual([otherKey]);
  });

  it('uploads that a killed process left are found and aborted once they are old', async () => {
    const { store, options, client, unfinished } = await useBucket();
    const Key = `some/where/${newKey()}`;
    await client.send(new CreateMultipartUploadCommand({ Bucket: options.bucket, Key }));
    const earlier = new Date(Date.now() - 3_600_000);
    const later = new Date(Date.now() + 3_600_000);
    expect([await store.abandonedWrites(earlier), await store.abandonedWrites(later)]).toEqual([
      0, 1,
    ]);
    await store.removeAbandonedWrites(earlier);
    expect(await unfinished()).toHaveLength(1);
    await store.removeAbandonedWrites(later);
    expect(await unfinished()).toEqual([]);
  });

  it('temporary copies are removed, also after a failure, and those of a killed process', async () => {
    const { store, folder } = await useBucket();
    const keys = [newKey(), newKey()];
    for (const key of keys) await store.write(key, Readable.from([key]));
    const read = (paths: string[]) => Promise.all(paths.map((path) => readFile(path, 'utf8')));
    expect(await store.withLocalFiles(keys, read)).toEqual(keys);
    expect(await readdir(folder)).toEqual([]);
    const failing = store.withLocalFiles(keys, () => Promise.reject(new Error('no such page')));
    await expect(failing).rejects.toThrow('no such page');
    expect(await readdir(folder)).toEqual([]);
    await writeFile(join(folder, 'left'), 'left by a kill');
    await createLocalCopies({ folder, room: createDiskRoom({ folder, spareBytes: 0 }) });
    expect(await readdir(folder)).toEqual([]);
  });

  it('a bucket that cannot be used is reported with the reason', async () => {
    const { options } = await useBucket();
    await expect(createS3FileStore({ ...options, bucket: 'nowhere-to-be' })).rejects.toThrow(
      "ENGRAM_FILES names the bucket 'nowhere-to-be', which cannot be used: the bucket does not exist.",
    );
    const secret = process.env['AWS_SECRET_ACCESS_KEY'];
    process.env['AWS_SECRET_ACCESS_KEY'] = 'another secret';
    onTestFinished(() => void (process.env['AWS_SECRET_ACCESS_KEY'] = secret));
    await expect(createS3FileStore(options)).rejects.toThrow('the server rejects the credentials');
  });
});

/** A server that answers every request with these bytes and then sends nothing more. */
async function startSilentServer(answerTo: (request: string) => string) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('data', (data) => socket.write(answerTo(data.toString())));
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    delete process.env['AWS_MAX_ATTEMPTS'];
  });
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'testsecret',
    AWS_MAX_ATTEMPTS: '1',
  });
  return {
    bucket: 'silent',
    prefix: '',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    copies: () => Promise.reject(new Error('no copies here')),
    // The answers that it sends must arrive in this time.
    idleTimeoutMs: 2000,
  };
}

const answer = (length: number, body: string) =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n${body}`;
const EMPTY_LIST = '<ListBucketResult><KeyCount>0</KeyCount></ListBucketResult>';

describe('an S3 server that stops responding', () => {
  it('the file store does not start', async () => {
    const options = await startSilentServer(() => '');
    await expect(createS3FileStore(options)).rejects.toThrow(
      /the bucket 'silent', which cannot be used: The S3 server did not respond in time\.$/u,
    );
  });

  it('writes fail, and reads fail at their start or in the middle', async () => {
    const options = await startSilentServer((request) => {
      if (request.includes('list-type=2')) return answer(EMPTY_LIST.length, EMPTY_LIST);
      return request.includes('/half') ? answer(1_000, 'the first half') : '';
    });
    const store = await createS3FileStore(options);
    onTestFinished(() => store.close());
    const owner = `${randomUUID()}/${randomUUID()}`;
    const inTime = 'The S3 server did not respond in time.';
    await expect(store.write(`${owner}/original`, Readable.from(['some']))).rejects.toThrow(inTime);
    await expect(store.read(`${owner}/original`)).rejects.toThrow(inTime);
    await expect(buffer(await store.read(`${owner}/half`))).rejects.toThrow(inTime);
  });
});

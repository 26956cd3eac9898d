import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type MultipartUpload,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import {
  FileNotFoundError,
  isOwner,
  requireKey,
  requirePrefix,
  type ByteRange,
  type FileStore,
} from './files.ts';
import type { WithLocalCopies } from './local-copies.ts';

interface S3FileStoreOptions {
  setting?: string;
  bucket: string;
  prefix: string;
  endpoint?: string | undefined;
  copies: WithLocalCopies;
  /** How long a server may send nothing, in milliseconds. */
  idleTimeoutMs?: number;
}

/** A file has up to 10,000 parts, which is 80 GB. */
const PART_BYTES = 8 * 1_048_576;
/** The parallel parts of one upload. With the part being filled, they take 24 MB of memory. */
const PARALLEL_PARTS = 2;
/** Each download holds a connection. */
const MAX_CONNECTIONS = 500;
const CONNECT_MS = 5_000;
/** In this time a part must be sent, which takes 2.2 Mbit/s for two parts. */
const IDLE_TIMEOUT_MS = 60_000;
const UPLOAD_COMMANDS = new Set(['PutObjectCommand', 'UploadPartCommand']);
const PROBE_MS = 10_000;

/**
 * Stores files in a bucket of Amazon S3 or a compatible server. Credentials and region come from the
 * environment and the files of Amazon's tools. Any number of servers may use the bucket.
 * @throws Error if the bucket cannot be used
 */
export async function createS3FileStore(options: S3FileStoreOptions): Promise<FileStore> {
  const { bucket: Bucket, endpoint, copies, idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
  const root = options.prefix === '' ? '' : `${options.prefix.replace(/\/$/u, '')}/`;
  const client = createClient(endpoint, idleTimeoutMs);
  const assertUsable = () =>
    assertReachable(client, Math.min(idleTimeoutMs, PROBE_MS), {
      setting: options.setting ?? 'ENGRAM_FILES',
      Bucket,
      Prefix: root,
    });
  await assertUsable().catch((error: unknown) => {
    client.destroy();
    throw error;
  });

  const locate = (key: string) => {
    requireKey(key);
    return { Bucket, Key: root + key };
  };
  const below = (prefix: string): string => {
    if (prefix === '') return root;
    requirePrefix(prefix);
    return `${root}${prefix.replace(/\/$/u, '')}/`;
  };
  const pages = (Prefix: string, Delimiter?: string) =>
    paginateListObjectsV2({ client }, { Bucket, Prefix, Delimiter });

  async function stat(key: string) {
    const head = await client.send(new HeadObjectCommand(locate(key))).catch(notFound(key));
    return { size: head.ContentLength ?? 0, changedAt: head.LastModified ?? new Date() };
  }

  async function read(key: string, { start = 0, end }: ByteRange = {}): Promise<Readable> {
    const place = locate(key);
    const readEmpty = async () => {
      await stat(key);
      return Readable.from([]);
    };
    if (end !== undefined && start > end) return readEmpty();
    const Range = start > 0 || end !== undefined ? `bytes=${start}-${end ?? ''}` : undefined;
    try {
      const { Body } = await client.send(new GetObjectCommand({ ...place, Range }));
      return withIdleTimeout(Body as IncomingMessage, idleTimeoutMs);
    } catch (error) {
      // The range begins beyond the last byte.
      if (statusOf(error) === 416) return readEmpty();
      return notFound(key)(error);
    }
  }

  async function abandoned(before: Date): Promise<MultipartUpload[]> {
    const uploads: MultipartUpload[] = [];
    let from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
    for (;;) {
      const page = await client.send(
        new ListMultipartUploadsCommand({ Bucket, Prefix: root, ...from }),
      );
      const old = (page.Uploads ?? []).filter(({ Initiated }) => Initiated && Initiated < before);
      uploads.push(...old);
      if (!page.IsTruncated) return uploads;
      from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
  }

  return {
    assertUsable,

    async write(key, content) {
      const place = locate(key);
      const hash = createHash('sha256');
      let size = 0;
      async function* counted() {
        for await (const part of content) {
          const bytes: Buffer = typeof part === 'string' ? Buffer.from(part) : part;
          hash.update(bytes);
          size += bytes.length;
          yield bytes;
        }
      }
      const upload = new Upload({
        client,
        params: { ...place, Body: Readable.from(counted()) },
        partSize: PART_BYTES,
        queueSize: PARALLEL_PARTS,
      });
      try {
        await upload.done();
      } finally {
        content.destroy();
      }
      return { size, sha256: hash.digest('hex') };
    },

    read,
    stat,

    async remove(key) {
      await client.send(new DeleteObjectCommand(locate(key)));
    },

    async removePrefix(prefix) {
      requirePrefix(prefix);
      for await (const { Contents = [] } of pages(below(prefix))) {
        if (Contents.length === 0) continue;
        const Objects = Contents.map(({ Key }) => ({ Key }));
        const { Errors = [] } = await client.send(
          new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
        );
        const [first] = Errors;
        if (first) {
          throw new Error(
            `${Errors.length} of ${Objects.length} stored files could not be removed: ${first.Code} ${first.Message}`,
          );
        }
      }
    },

    withLocalFiles: (keys, use) => copies(keys, read, use),

    async list(prefix) {
      const keys: string[] = [];
      for await (const { Contents = [] } of pages(below(prefix))) {
        for (const { Key = '' } of Contents) keys.push(Key.slice(root.length));
      }
      return keys.sort();
    },

    async owners() {
      const owners: string[] = [];
      for await (const { CommonPrefixes = [] } of pages(root, '/')) {
        for (const { Prefix = '' } of CommonPrefixes) owners.push(Prefix.slice(root.length, -1));
      }
      return owners.filter(isOwner);
    },

    abandonedWrites: async (before) => (await abandoned(before)).length,

    async removeAbandonedWrites(before) {
      for (const { Key, UploadId } of await abandoned(before)) {
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      }
    },

    close: () => client.destroy(),
  };
}

function createClient(endpoint: string | undefined, idleTimeoutMs: number): S3Client {
  const agent = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const client = new S3Client({
    // Most other servers have neither host names for buckets nor regions.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(endpoint === undefined || process.env['AWS_REGION'] ? {} : { region: 'us-east-1' }),
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: idleTimeoutMs,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
    // The SDK's checksum stream would leave the connection open when a download is aborted.
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  client.middlewareStack.add(
    (next) => async (call) => {
      try {
        return await next(call);
      } catch (error) {
        throw error instanceof Error && error.name === 'TimeoutError' ? timeoutError(error) : error;
      }
    },
    { step: 'initialize' },
  );
  // The content has a signed CRC32 and is already hashed here. A second SHA-256 for the signature would take
  // a third of an upload's CPU time.
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (call) => {
        const { headers } = call.request as { headers: Record<string, string> };
        if (UPLOAD_COMMANDS.has(commandName)) headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD';
        return next(call);
      },
    { step: 'build' },
  );
  return client;
}

const timeoutError = (cause?: Error): Error =>
  new Error('The S3 server did not respond in time.', { cause });

/** Ends a download if the server sends nothing, unless the reader is slow. */
function withIdleTimeout(body: IncomingMessage, idleTimeoutMs: number): IncomingMessage {
  let previous = -1;
  const watch = setInterval(() => {
    const { bytesRead } = body.socket;
    if (bytesRead === previous && body.readableLength === 0) body.destroy(timeoutError());
    previous = bytesRead;
  }, idleTimeoutMs).unref();
  return body.once('close', () => clearInterval(watch));
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;

function notFound(key: string): (error: unknown) => never {
  return (error) => {
    const isMissing =
      error instanceof S3ServiceException && /^(?:NoSuchKey|NotFound)$/u.test(error.name);
    throw isMissing ? new FileNotFoundError(key) : error;
  };
}

async function assertReachable(
  client: S3Client,
  requestTimeout: number,
  { setting, Bucket, Prefix }: { setting: string; Bucket: string; Prefix: string },
): Promise<void> {
  try {
    await client.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 }), { requestTimeout });
  } catch (error) {
    const { name, message } = error as Error;
    const reason =
      name === 'NoSuchBucket'
        ? 'the bucket does not exist'
        : statusOf(error) === 403
          ? `the server rejects the credentials (${name}): see AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`
          : (message || name).replace(/\.$/u, '');
    throw new Error(`${setting} names the bucket '${Bucket}', which cannot be used: ${reason}.`, {
      cause: error,
    });
  }
}

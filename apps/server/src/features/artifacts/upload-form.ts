import { uploadArtifacts } from '@engram/contract';
import multipart, { type MultipartFile, type MultipartValue } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../../platform/http/errors.ts';
import { cleanFileName } from './file-name.ts';
import { peek, type StoredFile } from './upload-intake.ts';

export interface FormLimits {
  files: number;
}

export interface ReadForm {
  stored: StoredFile[];
  /** The position of each stored file among the files of the form, from 0. */
  positions: ReadonlyMap<StoredFile, number>;
  rejected: { fileName: string; error: HttpError }[];
  fields: Record<string, string>;
}

/** Enough for the keywords of a thousand files. */
const FIELD_BYTES = 1_048_576;

const FIELDS = 20;

/** Small files that are stored concurrently: fewer than the threads for file access. */
const SMALL_FILES_AT_ONCE = 3;

interface FileOutcome {
  stored?: StoredFile;
  rejected?: ReadForm['rejected'][number];
}

const FIELD_NAMES = new Set(Object.keys(uploadArtifacts.body.shape));

export async function registerMultipart(
  app: FastifyInstance,
  { files }: FormLimits,
): Promise<void> {
  await app.register(multipart, {
    // The intake limits the size by type.
    limits: {
      files,
      fields: FIELDS,
      fieldSize: FIELD_BYTES,
      fileSize: Number.MAX_SAFE_INTEGER,
      parts: files + FIELDS,
    },
    throwFileSizeLimit: false,
  });
}

class StorageError extends Error {}

function toError(error: unknown, { files }: FormLimits): Error {
  if (error instanceof HttpError) return error;
  if (error instanceof StorageError) return error.cause as Error;
  switch ((error as { code?: string }).code) {
    case 'FST_FILES_LIMIT':
    case 'FST_PARTS_LIMIT':
      return new HttpError(413, 'too_many_files', `An upload can have at most ${files} files.`);
    case 'FST_FIELDS_LIMIT':
      return new HttpError(413, 'too_many_fields', `An upload can have at most ${FIELDS} fields.`);
    case 'FST_PROTO_VIOLATION':
      return new HttpError(400, 'field_not_allowed', 'A field of the upload has a forbidden name.');
    case 'FST_INVALID_JSON_FIELD_ERROR':
      return new HttpError(400, 'invalid_json_field', 'A field of the upload is not valid JSON.');
    default:
      return new HttpError(400, 'broken_upload', 'The upload was incomplete. Please try again.');
  }
}

const fieldTooLarge = (name: string): HttpError =>
  new HttpError(413, 'field_too_large', `The field '${name}' is too large.`);

/** Browsers escape quotes and line breaks in file names (WHATWG HTML, 'multipart/form-data'). */
const unescapeName = (name: string | undefined): string | undefined =>
  name?.replaceAll('%22', '"').replaceAll(/%0[AD]/gu, '');

function addField(fields: Record<string, string>, name: string, value: string): void {
  if (Object.hasOwn(fields, name)) {
    throw new HttpError(400, 'repeated_field', `The field '${name}' was sent more than once.`);
  }
  fields[name] = value;
}

function valueOf({ fieldname, value, valueTruncated }: MultipartValue): string {
  if (valueTruncated) throw fieldTooLarge(fieldname);
  // The parser returns parts of the type application/json as values.
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Reads a field with a file name, which many clients add to typed parts. */
async function textOf({ fieldname, file }: MultipartFile): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of file as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= FIELD_BYTES) parts.push(part);
  }
  if (size > FIELD_BYTES) throw fieldTooLarge(fieldname);
  return Buffer.concat(parts).toString();
}

const noop = (): void => {};

/**
 * Reads an upload and streams each file into the store. A rejected file does not stop the others. If the
 * request ends early, all files are discarded.
 */
export async function readUploadForm(
  request: FastifyRequest,
  limits: FormLimits,
  store: (name: string | undefined, content: AsyncIterable<Buffer>) => Promise<StoredFile>,
  discard: (stored: readonly StoredFile[]) => Promise<void>,
): Promise<ReadForm> {
  if (!request.isMultipart()) {
    throw new HttpError(415, 'not_multipart', 'An upload must be sent as multipart/form-data.');
  }
  const fields: Record<string, string> = {};
  const outcomes: Promise<FileOutcome>[] = [];
  const running = new Set<Promise<unknown>>();

  const storeFile = async (name: string | undefined, content: AsyncIterable<Buffer>) => {
    let isBroken = false;
    async function* watched() {
      try {
        yield* content;
      } catch (error) {
        isBroken = true;
        throw error;
      }
    }
    try {
      return { stored: await store(name, watched()) };
    } catch (error) {
      if (isBroken) throw error;
      // Errors of the disk, the bucket or the database are not the client's fault.
      if (!(error instanceof HttpError)) throw new StorageError('not stored', { cause: error });
      // An empty file input sends a part without a name and without bytes.
      return name || error.code !== 'file_empty'
        ? { rejected: { fileName: cleanFileName(name), error } }
        : {};
    }
  };

  const readFile = async ({ filename, file }: MultipartFile): Promise<void> => {
    const name = unescapeName(filename);
    // The rest of a rejected part still has to be read.
    const content = file.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
    try {
      const { ended, whole } = await peek(content);
      if (ended && running.size >= SMALL_FILES_AT_ONCE) await Promise.race(running);
      const outcome = storeFile(name, whole);
      outcomes.push(outcome);
      if (!ended) {
        await outcome;
        return;
      }
      const settled = outcome.then(noop, noop).finally(() => running.delete(settled));
      running.add(settled);
    } finally {
      await content.return?.();
      file.resume();
    }
  };

  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') addField(fields, part.fieldname, valueOf(part as MultipartValue));
      else if (FIELD_NAMES.has(part.fieldname)) {
        addField(fields, part.fieldname, await textOf(part));
      } else await readFile(part);
    }
    const files = await Promise.all(outcomes);
    return {
      positions: new Map(files.flatMap(({ stored }, i) => (stored ? [[stored, i]] : []))),
      stored: files.flatMap(({ stored }) => stored ?? []),
      rejected: files.flatMap(({ rejected }) => rejected ?? []),
      fields,
    };
  } catch (error) {
    // Clients read the response only after they have sent the whole request.
    request.raw.resume();
    const settled = await Promise.allSettled(outcomes);
    await discard(
      settled.flatMap((outcome) =>
        outcome.status === 'fulfilled' ? (outcome.value.stored ?? []) : [],
      ),
    );
    throw toError(error, limits);
  }
}

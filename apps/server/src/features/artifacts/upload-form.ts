import { uploadArtifacts } from '@engram/contract';
import multipart, { type MultipartFile, type MultipartValue } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../../platform/http/errors.ts';
import {
  brokenUpload,
  fieldNotAllowed,
  fieldTooLarge,
  invalidJsonField,
  notMultipart,
  repeatedField,
  tooManyFields,
  tooManyFiles,
} from './artifacts.errors.ts';
import { cleanFileName } from './file-name.ts';
import { peek, type StoredFile } from './upload-intake.ts';

export interface FormLimits {
  /** Most files in one upload. */
  files: number;
}

export interface ReadForm {
  stored: StoredFile[];
  /** The place of each stored file among the files of the form, counted from 0. */
  places: ReadonlyMap<StoredFile, number>;
  rejected: { fileName: string; error: HttpError }[];
  fields: Record<string, string>;
}

/** Largest field that is not a file, in bytes: 500 words, or keywords for a thousand files. */
const FIELD_BYTES = 1_048_576;

/** Most fields that are not files. */
const FIELDS = 20;

/**
 * Small files of one upload that are stored at the same time, each held in memory: fewer than there
 * are threads for files.
 */
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
    // The store counts bytes by type; the parser's own cap only has to be above that.
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

/** The form was whole, and a file of it could not be stored: `cause` says why. */
class NotStored extends Error {}

function describe(error: unknown, limits: FormLimits): Error {
  if (error instanceof HttpError) return error;
  if (error instanceof NotStored) return error.cause as Error;
  const code = (error as { code?: string }).code ?? '';
  if (code === 'FST_FILES_LIMIT' || code === 'FST_PARTS_LIMIT') return tooManyFiles(limits.files);
  if (code === 'FST_FIELDS_LIMIT') return tooManyFields(FIELDS);
  if (code === 'FST_PROTO_VIOLATION') return fieldNotAllowed();
  if (code === 'FST_INVALID_JSON_FIELD_ERROR') return invalidJsonField();
  return brokenUpload();
}

/** Browsers write a quote or a line break in a file's name this way (WHATWG HTML, 'multipart/form-data'). */
const unescapeName = (name: string | undefined): string | undefined =>
  name?.replaceAll('%22', '"').replaceAll(/%0[AD]/gu, '');

function addField(fields: Record<string, string>, name: string, value: string): void {
  if (Object.hasOwn(fields, name)) throw repeatedField(name);
  fields[name] = value;
}

function valueOf({ fieldname, value, valueTruncated }: MultipartValue): string {
  if (valueTruncated) throw fieldTooLarge(fieldname);
  // A part that calls itself JSON arrives parsed.
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A field that a client sends with a file name, as many do with a part that has a type. */
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
 * Reads an upload part by part, each file straight into the store; small ones are stored while
 * the next parts are read. A file that is refused is passed over and the rest goes on; when the
 * form itself breaks off, nothing is kept.
 */
export async function readUploadForm(
  request: FastifyRequest,
  limits: FormLimits,
  store: (name: string | undefined, content: AsyncIterable<Buffer>) => Promise<StoredFile>,
  discard: (stored: readonly StoredFile[]) => Promise<void>,
): Promise<ReadForm> {
  if (!request.isMultipart()) throw notMultipart();
  const fields: Record<string, string> = {};
  const outcomes: Promise<FileOutcome>[] = [];
  const underWay = new Set<Promise<unknown>>();

  const storeFile = async (
    name: string | undefined,
    content: AsyncIterable<Buffer>,
  ): Promise<FileOutcome> => {
    let brokeOff = false;
    async function* watched() {
      try {
        yield* content;
      } catch (error) {
        brokeOff = true;
        throw error;
      }
    }
    try {
      return { stored: await store(name, watched()) };
    } catch (error) {
      if (brokeOff) throw error;
      // What disk, bucket and database say is the server's own trouble, whatever it looks like.
      if (!(error instanceof HttpError)) throw new NotStored('not stored', { cause: error });
      // A file input that was left empty sends a part without a name and without bytes.
      return name || error.code !== 'file_empty'
        ? { rejected: { fileName: cleanFileName(name), error } }
        : {};
    }
  };

  const takeFile = async ({ filename, file }: MultipartFile): Promise<void> => {
    const name = unescapeName(filename);
    // Letting go of it must leave the part itself whole: what is not taken is still to be passed over.
    const content = file.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
    try {
      const { ended, whole } = await peek(content);
      if (ended && underWay.size >= SMALL_FILES_AT_ONCE) await Promise.race(underWay);
      const outcome = storeFile(name, whole);
      outcomes.push(outcome);
      if (!ended) {
        await outcome;
        return;
      }
      const settled = outcome.then(noop, noop).finally(() => underWay.delete(settled));
      underWay.add(settled);
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
      } else await takeFile(part);
    }
    const files = await Promise.all(outcomes);
    return {
      places: new Map(files.flatMap(({ stored }, place) => (stored ? [[stored, place]] : []))),
      stored: files.flatMap(({ stored }) => stored ?? []),
      rejected: files.flatMap(({ rejected }) => rejected ?? []),
      fields,
    };
  } catch (error) {
    // The caller hears the answer once all that is still coming was taken.
    request.raw.resume();
    const settled = await Promise.allSettled(outcomes);
    await discard(
      settled.flatMap((outcome) =>
        outcome.status === 'fulfilled' ? (outcome.value.stored ?? []) : [],
      ),
    );
    throw describe(error, limits);
  }
}

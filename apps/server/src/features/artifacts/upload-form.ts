import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../../platform/http/errors.ts';
import { brokenUpload, notMultipart, tooManyFiles } from './artifacts.errors.ts';
import { cleanFileName } from './file-name.ts';
import type { StoredFile } from './upload-intake.ts';

export interface FormLimits {
  /** Most files in one upload. */
  files: number;
}

export interface ReadForm {
  stored: StoredFile[];
  rejected: { fileName: string; error: HttpError }[];
  fields: Record<string, string>;
}

/** Largest field that is not a file, in bytes: 500 words, or keywords for a thousand files. */
const FIELD_BYTES = 1_048_576;

export async function registerMultipart(
  app: FastifyInstance,
  { files }: FormLimits,
): Promise<void> {
  await app.register(multipart, {
    // The store counts bytes by type; the parser's own cap only has to be above that.
    limits: {
      files,
      fields: 20,
      fieldSize: FIELD_BYTES,
      fileSize: Number.MAX_SAFE_INTEGER,
      parts: files + 20,
    },
    throwFileSizeLimit: false,
  });
}

function describe(error: unknown, limits: FormLimits): Error {
  if (error instanceof HttpError) return error;
  const code = (error as { code?: string }).code ?? '';
  if (code === 'FST_FILES_LIMIT' || code === 'FST_PARTS_LIMIT') return tooManyFiles(limits.files);
  if (code === 'FST_INVALID_MULTIPART_CONTENT_TYPE') return notMultipart();
  // What the disk says is the server's own trouble; all else is a form that broke off.
  return code.startsWith('E') && code !== 'ECONNRESET' ? (error as Error) : brokenUpload();
}

/**
 * Reads an upload part by part, each file straight into the store. A file that is refused is
 * passed over and the rest goes on; when the form itself breaks off, nothing is kept.
 */
export async function readUploadForm(
  request: FastifyRequest,
  limits: FormLimits,
  store: (name: string | undefined, content: AsyncIterable<Buffer>) => Promise<StoredFile>,
  discard: (stored: readonly StoredFile[]) => Promise<void>,
): Promise<ReadForm> {
  if (!request.isMultipart()) throw notMultipart();
  const form: ReadForm = { stored: [], rejected: [], fields: {} };
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        form.fields[part.fieldname] = String(part.value);
        continue;
      }
      // A file input that was left empty sends a part without a name and without bytes.
      const nameless = !part.filename;
      try {
        form.stored.push(await store(part.filename, part.file));
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        if (!(nameless && error.code === 'file_empty')) {
          form.rejected.push({ fileName: cleanFileName(part.filename), error });
        }
      } finally {
        part.file.resume();
      }
    }
    return form;
  } catch (error) {
    await discard(form.stored);
    throw describe(error, limits);
  }
}

import { type BodyOf, saveWebContent } from '@engram/contract';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { HttpError } from '../../platform/http/errors.ts';
import { parseInput } from '../../platform/http/mount.ts';
import type { OpenedAddress } from './fetch-address.ts';

export type SentContent = Pick<OpenedAddress, 'mediaType' | 'fileName' | 'body'>;

/** Clients that send bytes often do not know their type. */
const PAGE_NAME = /\.x?html?$/iu;

const FIELDS = 5;
const FIELD_BYTES = 20_000;

const refusal = (status: number, code: string, message: string): HttpError =>
  new HttpError(status, code, message);

const broken = (): HttpError =>
  refusal(400, 'broken_upload', 'The upload was incomplete. Please try again.');

const notOne = (): HttpError =>
  refusal(400, 'one_file_needed', 'Send the fields, and then one part named files.');

async function* bodyOf({ file }: MultipartFile): AsyncGenerator<Buffer> {
  try {
    yield* file as AsyncIterable<Buffer>;
  } catch {
    throw broken();
  }
}

/**
 * Reads a form with fields and one file after them, which `save` reads.
 * @throws HttpError 400 or 415 if it is not such a form
 */
export async function readContentForm<T>(
  request: FastifyRequest,
  save: (fields: BodyOf<typeof saveWebContent>, content: SentContent) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) {
    throw refusal(415, 'not_multipart', 'An upload must be sent as multipart/form-data.');
  }
  const limits = { files: 1, fields: FIELDS, parts: FIELDS + 1, fieldSize: FIELD_BYTES };
  const fields: Record<string, unknown> = {};
  const saved: T[] = [];
  let saveError: unknown;
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') {
        if (part.valueTruncated)
          throw refusal(413, 'field_too_large', `The field '${part.fieldname}' is too large.`);
        fields[part.fieldname] = part.value;
        continue;
      }
      const { mimetype, filename: fileName } = part;
      const mediaType = PAGE_NAME.test(fileName) ? 'text/html' : mimetype.toLowerCase();
      const content = { mediaType, fileName, body: bodyOf(part) };
      const saving = save(parseInput(saveWebContent.body, fields), content);
      saved.push(await saving.catch((error: unknown) => Promise.reject((saveError = error))));
      part.file.resume();
    }
  } catch (error) {
    // Clients read the response only after they have sent the whole request.
    request.raw.resume();
    if (error === saveError || error instanceof HttpError) throw error;
    const code = (error as { code?: string }).code ?? '';
    throw /^FST_(?:FILES|PARTS|FIELDS)_LIMIT$/u.test(code) ? notOne() : broken();
  }
  const [only] = saved;
  if (only === undefined) throw notOne();
  return only;
}

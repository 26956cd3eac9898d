import { PHOTO_LIMIT, uploadProfileImage } from '@engram/contract';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { HttpError } from '../../platform/http/errors.ts';
import { noPhoto, notAPhoto, photoTooLarge } from './profile.errors.ts';

/** What a form with a photo may consist of: the photo, and a few parts that are passed over. */
const FORM_LIMITS = { fileSize: PHOTO_LIMIT, files: 4, fields: 4, parts: 8, fieldSize: 10_000 };

const BEGINNINGS = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
];

/** Whether bytes begin as a JPEG or a PNG does. */
const isPhoto = (bytes: Buffer): boolean =>
  BEGINNINGS.some((start) => bytes.subarray(0, start.length).equals(Buffer.from(start)));

/** The bytes of a photo, judged by what they are and not by what they are called. */
async function readPhoto({ file }: MultipartFile): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of file as AsyncIterable<Buffer>) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  if (bytes.length === 0) throw noPhoto();
  if (!isPhoto(bytes)) throw notAPhoto();
  if (file.truncated) throw photoTooLarge();
  return bytes;
}

async function findPhoto(request: FastifyRequest): Promise<Buffer> {
  for await (const part of request.parts({ limits: FORM_LIMITS })) {
    if (part.type !== 'file') continue;
    if (part.fieldname === uploadProfileImage.filePart) return readPhoto(part);
    part.file.resume();
  }
  throw noPhoto();
}

/**
 * The photo in a form.
 * @throws HttpError 400 where there is none, 413 where it is too large, 415 where it is none.
 */
export async function readPhotoForm(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart()) throw noPhoto();
  try {
    return await findPhoto(request);
  } catch (error) {
    // The caller hears the answer once all that is still coming was taken.
    request.raw.resume();
    // All else is a form that broke off, or is none.
    throw error instanceof HttpError ? error : noPhoto();
  }
}

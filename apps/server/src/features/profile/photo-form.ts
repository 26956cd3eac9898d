import { PHOTO_LIMIT, uploadProfileImage } from '@engram/contract';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { HttpError } from '../../platform/http/errors.ts';

const FORM_LIMITS = { fileSize: PHOTO_LIMIT, files: 4, fields: 4, parts: 8, fieldSize: 10_000 };

const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const noPhoto = (): HttpError =>
  new HttpError(400, 'photo_missing', 'Please select an image to upload.');

export const notAPhoto = (): HttpError =>
  new HttpError(415, 'photo_type', 'Invalid file format. Please select a JPG or PNG image.');

/** The bytes of a photo, whose type is judged by its first bytes. */
async function readPhoto({ file }: MultipartFile): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of file as AsyncIterable<Buffer>) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  if (bytes.length === 0) throw noPhoto();
  const isPhoto = [JPEG, PNG].some((start) => bytes.subarray(0, start.length).equals(start));
  if (!isPhoto) throw notAPhoto();
  if (file.truncated) {
    const message = 'File size exceeds 2MB. Please select a smaller image.';
    throw new HttpError(413, 'photo_too_large', message);
  }
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

/** The photo in a form. @throws HttpError 400, 413 or 415. */
export async function readPhotoForm(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart()) throw noPhoto();
  try {
    return await findPhoto(request);
  } catch (error) {
    // The client reads the answer only after its request was taken in whole.
    request.raw.resume();
    // Any other error is of an incomplete or malformed form.
    throw error instanceof HttpError ? error : noPhoto();
  }
}

import {
  type BodyOf,
  deleteProfileImage,
  getProfile,
  PHOTO_LIMIT,
  type Profile,
  updateProfile,
  uploadProfileImage,
} from '@engram/contract';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { Caller, Mount } from '../../platform/http/mount.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { assertUserWithin } from '../../platform/http/networks.ts';
import type { Limit } from '../../platform/limits/limit.ts';
import type { AuthService } from '../auth/auth.service.ts';
import type { UserRow } from '../auth/auth.tables.ts';

type ProfileText = Omit<BodyOf<typeof updateProfile>, 'email' | 'isAgreedTerms'>;

/** Characters that change the text direction, with which a name could imitate another one. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/gu;

/** One line without invisible characters. Undefined stays undefined, and empty text becomes null. */
function asLine(text: string | null | undefined): string | null | undefined {
  if (text === undefined || text === null) return text;
  const line = text
    .replaceAll(/[\t\n\r\u0085\u2028\u2029]+/gu, ' ')
    .replaceAll(/\p{Cc}/gu, '')
    .replaceAll(BIDI_CONTROLS, '')
    .trim();
  return line || null;
}

/** Formats a number of 10 digits as in North America, and leaves other numbers as they are. */
function phoneNumber(text: string | null | undefined): string | null | undefined {
  const digits = text?.replaceAll(/\D/gu, '') ?? '';
  if (digits.length !== 10 || text?.startsWith('+')) return text;
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
}

const cleanProfile = ({ name, altEmail, phone, deviceTimeZone }: ProfileText): ProfileText => ({
  name: asLine(name),
  altEmail,
  phone: phoneNumber(asLine(phone)),
  deviceTimeZone,
});

const asText = (photo: Buffer): string => photo.toString('base64');

function present(account: UserRow | undefined): Profile {
  if (!account) throw new HttpError(404, 'account_not_found', 'This account no longer exists.');
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    altEmail: account.altEmail,
    phone: account.phone,
    role: account.role,
    country: account.country,
    profileImage: account.profileImage && asText(account.profileImage),
    ip: account.ip,
    device: account.device,
    location: account.location,
    createdDate: account.createdAt.toISOString(),
    isAgreedTerms: account.agreedTermsAt !== null,
    deviceTimeZone: account.deviceTimeZone,
  };
}

const FORM_LIMITS = { fileSize: PHOTO_LIMIT, files: 4, fields: 4, parts: 8, fieldSize: 10_000 };

const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const missingPhotoError = (): HttpError =>
  new HttpError(400, 'photo_missing', 'Please select an image to upload.');

const photoTypeError = (): HttpError =>
  new HttpError(415, 'photo_type', 'Invalid file format. Please select a JPG or PNG image.');

/** Reads a photo. Its type is detected by its first bytes. */
async function readPhoto({ file }: MultipartFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file as AsyncIterable<Buffer>) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (bytes.length === 0) throw missingPhotoError();
  const isPhoto = [JPEG, PNG].some((start) => bytes.subarray(0, start.length).equals(start));
  if (!isPhoto) throw photoTypeError();
  if (file.truncated) {
    const message = 'File size exceeds 2MB. Please select a smaller image.';
    throw new HttpError(413, 'photo_too_large', message);
  }
  return bytes;
}

async function readPhotoForm(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart()) throw missingPhotoError();
  try {
    for await (const part of request.parts({ limits: FORM_LIMITS })) {
      if (part.type !== 'file') continue;
      if (part.fieldname === uploadProfileImage.filePart) return await readPhoto(part);
      part.file.resume();
    }
  } catch (error) {
    // Clients read the response only after the complete request was received.
    request.raw.resume();
    // Other errors come from an incomplete or malformed form.
    throw error instanceof HttpError ? error : missingPhotoError();
  }
  throw missingPhotoError();
}

/** The user's own profile. All calls throw a 404 if the account was deleted in the meantime. */
export function createProfileService(
  accounts: Pick<AuthService['accounts'], 'find' | 'update'>,
  renderPhoto: (userId: string, picture: Uint8Array) => Promise<Buffer | null>,
  limit: Limit,
) {
  const get = async (userId: string): Promise<Profile> => present(await accounts.find(userId));

  /** @throws HttpError 403 for an address other than the caller's. */
  async function update(
    caller: Pick<Caller, 'userId' | 'email'>,
    { email, isAgreedTerms, ...text }: BodyOf<typeof updateProfile>,
  ): Promise<Profile> {
    if (email !== undefined && email.toLowerCase() !== caller.email.toLowerCase()) {
      const message =
        'This is not the address of your account. The address of an account cannot be changed.';
      throw new HttpError(403, 'not_own_account', message);
    }
    const changes = { ...cleanProfile(text), acceptTerms: isAgreedTerms };
    return present(await accounts.update(caller.userId, changes));
  }

  /** Replaces the photo, and returns it in base64. @throws HttpError 415, 429. */
  async function setPhoto(userId: string, read: () => Promise<Uint8Array>): Promise<string> {
    await assertUserWithin(limit, userId, 'Too many photos. Please wait a moment.');
    const profileImage = await renderPhoto(userId, await read());
    if (!profileImage) throw photoTypeError();
    present(await accounts.update(userId, { profileImage }));
    return asText(profileImage);
  }

  return {
    get,
    update,
    setPhoto,
    routes(mount: Mount): void {
      mount(getProfile, async ({ caller }) => ({ data: await get(caller.userId) }));
      mount(updateProfile, async ({ caller, body }) => ({ data: await update(caller, body) }));
      mount(uploadProfileImage, ({ caller, request }) =>
        setPhoto(caller.userId, () => readPhotoForm(request)),
      );
      mount(deleteProfileImage, async ({ caller }) => ({
        data: present(await accounts.update(caller.userId, { profileImage: null })),
      }));
    },
  };
}

export type ProfileService = ReturnType<typeof createProfileService>;

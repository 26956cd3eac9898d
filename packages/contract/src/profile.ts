import { z } from 'zod';
import { NAME_LIMIT, PHONE_ERROR, PHONE_LIMIT, PHONE_PATTERN } from './limits.ts';
import { defineRoute } from './route.ts';
import { email, id } from './values.ts';

/** Null and an empty text both clear a field. */
const optionalText = <T extends z.ZodType>(text: T) =>
  z
    .union([z.literal('').transform(() => null), text])
    .nullable()
    .optional();

export const profile = z
  .object({
    id,
    email: z.string(),
    name: z.string().nullable(),
    altEmail: z.string().nullable(),
    phone: z.string().nullable(),
    role: z.enum(['USER', 'ADMIN']),
    country: z.string().nullable(),
    /** A base64 JPEG, or null. */
    profileImage: z.string().nullable(),
    ip: z.string().nullable(),
    device: z.string().nullable(),
    location: z.string().nullable(),
    createdDate: z.iso.datetime(),
    isAgreedTerms: z.boolean(),
    /** Whether times are shown in the device's time zone; else in the server's. */
    deviceTimeZone: z.boolean(),
  })
  .meta({
    id: 'Profile',
    description: 'The user whose files these are.',
    'x-sdk-names': {
      createdDate: 'createdAt',
      isAgreedTerms: 'agreedTerms',
    },
  });
export type Profile = z.output<typeof profile>;

export const getProfile = defineRoute({
  id: 'profile.getProfile',
  method: 'GET',
  path: '/user/profile',
  summary: 'The signed-in person',
  sdk: { profile: {} },
  auth: 'user',
  apiKey: true,
  kind: 'json',
  data: profile,
  example: {},
});

export const updateProfile = defineRoute({
  id: 'profile.updateProfile',
  method: 'PUT',
  path: '/user/profile',
  summary: 'Change the profile, or accept the terms',
  auth: 'user',
  kind: 'json',
  /** The profile, or what changes of it; fields that cannot be changed are passed over. */
  body: z.object({
    /** The caller's own address, which names the account and never changes. */
    email: email.optional(),
    name: optionalText(z.string().trim().max(NAME_LIMIT)),
    altEmail: optionalText(email),
    phone: optionalText(
      z.string().trim().max(PHONE_LIMIT).regex(PHONE_PATTERN, { error: PHONE_ERROR }),
    ),
    deviceTimeZone: z.boolean().optional(),
    /** Only true says something: terms that were accepted stay accepted. */
    isAgreedTerms: z.boolean().optional(),
  }),
  data: profile,
  message: 'Profile updated successfully!',
  errors: { 403: 'The address is not the caller’s own.' },
  example: { body: { name: 'Ann Becker' } },
});

export const uploadProfileImage = defineRoute({
  id: 'profile.uploadProfileImage',
  method: 'POST',
  path: '/user/profile/image',
  summary: 'Change the photo (a multipart part named file); answers it as a base64 JPEG',
  auth: 'user',
  kind: 'text',
  filePart: 'file',
  errors: {
    413: 'The picture has more than 2 MB.',
    415: 'The picture is not a JPG or PNG.',
  },
});

export const deleteProfileImage = defineRoute({
  id: 'profile.deleteProfileImage',
  method: 'DELETE',
  path: '/user/profile/image',
  summary: 'Remove the photo',
  auth: 'user',
  kind: 'json',
  data: profile,
  message: 'Profile updated successfully!',
});

const deleted = {
  path: '/user/profile/delete-account',
  auth: 'user',
  fresh: true,
  kind: 'json',
  /** The caller's own address; in any other case than it is kept in, too. */
  body: z.object({ email }),
  data: z.null(),
  message: 'User account and all related data deleted successfully',
  errors: { 403: 'The address is not the caller’s own.' },
} as const;

export const deleteAccount = defineRoute({
  ...deleted,
  id: 'profile.deleteAccount',
  method: 'DELETE',
  summary: "Delete the caller's own account and everything of it",
  example: { body: { email: '$EMAIL' } },
});

export const deleteAccountByPut = defineRoute({
  ...deleted,
  id: 'profile.deleteAccountByPut',
  method: 'PUT',
  summary: 'The same by PUT',
});

import { z } from 'zod';
import { NAME_LIMIT, PHONE_ERROR, PHONE_LIMIT, PHONE_PATTERN } from './limits.ts';
import { defineRoute } from './route.ts';
import { email, id } from './values.ts';

/** Null and an empty string both clear a field. */
const optionalText = <T extends z.ZodType>(text: T) =>
  z
    .union([z.literal('').transform(() => null), text])
    .nullable()
    .optional();

export const profile = z
  .object({
    id,
    email: z.string().describe('The e-mail address of the account.'),
    name: z.string().nullable().describe('The name of the user.'),
    altEmail: z.string().nullable().describe('Another e-mail address.'),
    phone: z.string().nullable().describe('The phone number.'),
    role: z.enum(['USER', 'ADMIN']).describe('The roles of the user.'),
    country: z.string().nullable().describe('The country of the last sign-in.'),
    profileImage: z.string().nullable().describe('The photo, a JPEG in base64.'),
    ip: z.string().nullable().describe('The IP address that the call came from.'),
    device: z.string().nullable().describe('The device or program of the call.'),
    location: z.string().nullable().describe('The name of the place of the last sign-in.'),
    createdDate: z.iso.datetime().describe('When it was created.'),
    isAgreedTerms: z.boolean().describe('Whether the terms are accepted.'),
    deviceTimeZone: z.boolean().describe("Whether to show times in the device's time zone."),
  })
  .meta({
    id: 'Profile',
    description: 'The user whose files these are.',
    'x-sdk-names': { createdDate: 'createdAt', isAgreedTerms: 'agreedTerms' },
  });
export type Profile = z.output<typeof profile>;

export const getProfile = defineRoute('GET /user/profile', {
  summary: 'The signed-in user',
  sdk: { profile: {} },
  apiKey: true,
  data: profile,
  example: {},
});

export const updateProfile = defineRoute('PUT /user/profile', {
  summary: 'Change the profile, or accept the terms',
  /** The whole profile or some fields. Read-only fields are ignored. */
  body: z.object({
    email: email.optional(),
    name: optionalText(z.string().trim().max(NAME_LIMIT)).describe('The name of the user.'),
    altEmail: optionalText(email).describe('Another e-mail address.'),
    phone: optionalText(
      z.string().trim().max(PHONE_LIMIT).regex(PHONE_PATTERN, { error: PHONE_ERROR }),
    ).describe('The phone number.'),
    deviceTimeZone: z
      .boolean()
      .optional()
      .describe("Whether to show times in the device's time zone."),
    isAgreedTerms: z.boolean().optional().describe('true accepts the terms.'),
  }),
  data: profile,
  message: 'Profile updated successfully!',
  errors: { 403: 'The address is not the caller’s own.' },
  example: { body: { name: 'Ann Becker' } },
});

export const uploadProfileImage = defineRoute('POST /user/profile/image', {
  summary: 'Change the photo (a multipart part named file). Returns it as a base64 JPEG.',
  kind: 'text',
  filePart: 'file',
  errors: {
    413: 'The picture has more than 2 MB.',
    415: 'The picture is not a JPG or PNG.',
  },
});

export const deleteProfileImage = defineRoute('DELETE /user/profile/image', {
  summary: 'Remove the photo',
  data: profile,
  message: 'Profile updated successfully!',
});

const deletionRoute = {
  fresh: true,
  /** The user's own address, ignoring case. */
  body: z.object({ email }),
  data: z.null(),
  message: 'User account and all related data deleted successfully',
  errors: { 403: 'The address is not the caller’s own.' },
} as const;

export const deleteAccount = defineRoute('DELETE /user/profile/delete-account', {
  ...deletionRoute,
  summary: "Delete the caller's account and all its data",
  example: { body: { email: '$EMAIL' } },
});

export const deleteAccountByPut = defineRoute('PUT /user/profile/delete-account', {
  ...deletionRoute,
  summary: 'The same by PUT',
});

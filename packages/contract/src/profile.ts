import { z } from 'zod';
import { defineRoute } from './route.ts';
import { email, id } from './values.ts';

export const profile = z.object({
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
});
export type Profile = z.output<typeof profile>;

export const getProfile = defineRoute({
  id: 'profile.getProfile',
  method: 'GET',
  path: '/user/profile',
  summary: 'The signed-in person',
  auth: 'user',
  apiKey: true,
  kind: 'json',
  data: profile,
});

export const updateProfile = defineRoute({
  id: 'profile.updateProfile',
  method: 'PUT',
  path: '/user/profile',
  summary: 'Accept the terms',
  auth: 'user',
  kind: 'json',
  body: z.object({
    isAgreedTerms: z.literal(true, { error: 'The terms can only be accepted.' }),
  }),
  data: profile,
  message: 'Profile updated successfully!',
});

const deleted = {
  path: '/user/profile/delete-account',
  auth: 'user',
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
});

export const deleteAccountByPut = defineRoute({
  ...deleted,
  id: 'profile.deleteAccountByPut',
  method: 'PUT',
  summary: 'The same by PUT',
});

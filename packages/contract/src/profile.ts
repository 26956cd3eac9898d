import { z } from 'zod';
import { defineRoute } from './route.ts';
import { id } from './values.ts';

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

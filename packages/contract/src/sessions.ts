import { z } from 'zod';
import { defineRoute } from './route.ts';
import { count, flag, id, timestamp } from './values.ts';

export const openSession = z.object({
  id,
  /** Such as 'MacOS', or null. */
  device: z.string().nullable(),
  /** The address of its last renewal. */
  ip: z.string().nullable(),
  /** The place of the sign-in, as reported by the device. */
  location: z.string().nullable(),
  createdAt: timestamp,
  /** Its last renewal, which happens when the app is opened. */
  lastUsedAt: timestamp,
  /** When it ends unless it is renewed, up to 90 days after the sign-in. */
  expiresAt: timestamp,
  /** Whether it is the session of this call. */
  current: z.boolean(),
});
export type OpenSession = z.output<typeof openSession>;

export const listSessions = defineRoute('GET /sessions', {
  summary: 'Sessions of the caller, last used first',
  data: z.array(openSession),
});

export const endSession = defineRoute('DELETE /sessions/{sessionId}', {
  summary: 'End a session: its token and its cookie stop working immediately',
  params: z.object({ sessionId: id }),
  data: z.null(),
  message: 'Session ended.',
  errors: { 404: 'No such session.' },
});

export const endSessions = defineRoute('DELETE /sessions', {
  summary: 'End all other sessions, with current=true also this one',
  query: z.object({ current: flag.optional() }),
  data: z.object({
    ended: count,
  }),
  message: 'Sessions ended.',
});

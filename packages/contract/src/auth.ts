import { z } from 'zod';
import { defineRoute } from './route.ts';
import { email } from './values.ts';

export const session = z.object({
  /** A JWT, valid for seven days unless it is revoked. */
  token: z.string(),
  /** Whether the person has artifacts. */
  exist: z.boolean(),
  /** Whether the questionnaire is still unanswered. */
  question: z.boolean(),
  /** Whether the terms are accepted. */
  agreed: z.boolean(),
  roles: z.array(z.enum(['USER', 'ADMIN'])),
});
export type Session = z.output<typeof session>;

export const generateCode = defineRoute({
  id: 'auth.generateCode',
  method: 'POST',
  path: '/auth/otp/generate',
  summary: 'Send a sign-in code by mail',
  auth: 'public',
  kind: 'json',
  body: z.object({ email }),
  data: z.null(),
  message: 'Code generated and sent to the email',
  errors: { 503: 'The mail server is down.' },
});

export const validateCode = defineRoute({
  id: 'auth.validateCode',
  method: 'POST',
  path: '/auth/otp/validate',
  summary: 'Sign in with a code',
  auth: 'public',
  kind: 'json',
  body: z.object({
    email,
    code: z.string().regex(/^\d{6}$/u, { error: 'The code has 6 digits.' }),
    location: z.string().max(300).nullish(),
    ip: z.string().max(100).nullish(),
    device: z.string().max(100).nullish(),
  }),
  data: session,
  message: 'Login successful.',
  errors: { 401: 'The code is wrong, used or expired.', 403: 'The call comes from another site.' },
});

export const refreshSession = defineRoute({
  id: 'auth.refreshSession',
  method: 'POST',
  path: '/auth/refresh',
  summary: 'Restore a session from its cookie',
  auth: 'public',
  kind: 'json',
  data: session,
  message: 'Login successful.',
  errors: { 401: 'There is no session to restore.', 403: 'The call comes from another site.' },
});

export const logout = defineRoute({
  id: 'auth.logout',
  method: 'POST',
  path: '/auth/logout',
  summary: 'End the session on the server',
  auth: 'user',
  kind: 'json',
  data: z.null(),
  message: 'Logged out.',
});

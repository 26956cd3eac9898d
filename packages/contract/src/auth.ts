import { z } from 'zod';
import { defineRoute } from './route.ts';
import { email } from './values.ts';

export const session = z.object({
  token: z.string().describe('The bearer token, valid for seven days.'),
  exist: z.boolean().describe('Whether the user has files.'),
  question: z.boolean().describe('Whether the first questionnaire is unanswered.'),
  agreed: z.boolean().describe('Whether the terms are accepted.'),
  roles: z.array(z.enum(['USER', 'ADMIN'])).describe('The roles of the user.'),
});
export type Session = z.output<typeof session>;

const signInCode = z.string().regex(/^\d{6}$/u, { error: 'The code has 6 digits.' });
const crossSite = 'The call comes from another site.';
const wrongCode =
  'The code is wrong, used or expired. With `code_used_up` it was tried too often, and a new one is needed.';

export const generateCode = defineRoute('POST /auth/otp/generate', {
  summary: 'Mail a code and a link for signing in or confirming the signed-in user',
  auth: 'public',
  body: z.object({ email }),
  data: z.null(),
  message: 'Code generated and sent to the email',
  errors: { 403: crossSite, 503: 'The mail server is down.' },
  example: { body: { email: '$EMAIL' } },
});

export const validateCode = defineRoute('POST /auth/otp/validate', {
  summary: 'Sign in with a code',
  auth: 'public',
  body: z.object({
    email,
    code: signInCode.describe('The six digits of the e-mail.'),
    location: z.string().max(300).nullish().describe('The place that the call comes from.'),
    ip: z.string().max(100).nullish().describe('Ignored.'),
    device: z.string().max(100).nullish().describe('The device or program of the call.'),
  }),
  data: session,
  message: 'Login successful.',
  errors: { 401: wrongCode, 403: crossSite },
  example: { body: { email: '$EMAIL', code: '$CODE' } },
});

export const signInWithLink = defineRoute('POST /auth/link', {
  summary: 'Sign in with the link of a mail',
  auth: 'public',
  body: z.object({
    email,
    key: z.string().regex(/^[\w-]{22}$/u, { error: 'This is not the key of a sign-in link.' }),
    location: z.string().max(300).nullish(),
    device: z.string().max(100).nullish(),
  }),
  data: session,
  message: 'Login successful.',
  errors: { 401: 'The link is wrong, used or expired.', 403: crossSite },
});

export const confirmSession = defineRoute('POST /auth/confirm', {
  summary: 'Confirm the signed-in user with a new code',
  body: z.object({ code: signInCode }),
  data: z.null(),
  message: 'Confirmed.',
  // Not 401, since the session stays valid.
  errors: { 403: `${wrongCode} Or: ${crossSite}` },
});

/** The page of this server to which the provider redirects the browser. */
const redirectUri = z
  .url({ protocol: /^https?$/u, error: 'The redirect address is not a web address.' })
  .max(2000);
const unverifiedText = z.string().max(2000).nullish();

export const startSocialSignIn = defineRoute('GET /auth/social', {
  summary: "The address of Google's sign-in page",
  auth: 'public',
  query: z.object({
    redirectUri,
    /** Returned with the code, so that the client recognizes its own sign-in. */
    state: z.string().min(16).max(200),
    /** Returned in the ID token. Without it the server creates one. */
    nonce: z.string().min(16).max(200).optional(),
    /** SHA-256 of the code verifier in base64url (PKCE, RFC 7636). */
    codeChallenge: z.string().regex(/^[\w-]{43}$/u, { error: 'The code challenge is not valid.' }),
  }),
  data: z.object({
    url: z.string(),
    /** The nonce of the request. One from the server is valid in this browser for an hour. */
    nonce: z.string(),
  }),
  errors: {
    403: crossSite,
    503: 'Signing in with Google is not set up, or Google cannot be reached.',
  },
});

export const socialSignIn = defineRoute('POST /auth/social', {
  summary: 'Sign in with Google',
  auth: 'public',
  /** One of `idToken`, `accessToken` and `code` identifies the user. */
  body: z.object({
    /** An ID token of the provider with this browser's `nonce`. */
    idToken: z.string().min(1).max(10_000).optional(),
    accessToken: z.string().min(1).max(10_000).optional(),
    /** An authorization code, with its `codeVerifier` and `redirectUri`. */
    code: z.string().min(1).max(2000).optional(),
    codeVerifier: z
      .string()
      .regex(/^[\w.~-]{43,128}$/u, { error: 'The code verifier is not valid.' })
      .optional(),
    redirectUri: redirectUri.optional(),
    nonce: z.string().min(1).max(200).optional(),
    /** Ignored, since a client cannot prove them. */
    email: unverifiedText,
    name: unverifiedText,
    picture: unverifiedText,
    ip: unverifiedText,
    location: z.string().max(300).nullish(),
    device: z.string().max(100).nullish(),
  }),
  data: session,
  message: 'Login successful.',
  errors: {
    401: 'Google does not confirm the user, or their e-mail address.',
    403: 'The call comes from another site, or this server takes no new accounts.',
    503: 'Signing in with Google is not set up, or Google cannot be reached.',
  },
});

export const refreshSession = defineRoute('POST /auth/refresh', {
  summary: 'Restore a session from its cookie',
  auth: 'public',
  body: z.object({
    /** Whether to return null instead of 401 if there is no session. */
    ifAny: z.boolean().optional(),
  }),
  data: session.nullable(),
  message: 'Login successful.',
  errors: { 401: 'There is no session to restore.', 403: crossSite },
});

export const logout = defineRoute('POST /auth/logout', {
  summary: 'End the session on the server',
  data: z.null(),
  message: 'Logged out.',
});

import { z } from 'zod';
import { session } from './auth.ts';
import { PASSKEY_LIMIT, PASSKEY_NAME_LIMIT } from './limits.ts';
import { defineRoute } from './route.ts';
import { id, timestamp } from './values.ts';

const passkeyName = z
  .string()
  .trim()
  .min(1, { error: 'A passkey needs a name.' })
  .max(PASSKEY_NAME_LIMIT, {
    error: `The name of a passkey has at most ${PASSKEY_NAME_LIMIT} characters.`,
  })
  .regex(/^\P{Cc}+$/u, { error: 'The name of a passkey is a single line.' })
  .describe('The name of the passkey, such as Chrome on Windows.');

export const passkey = z.object({
  id,
  name: z.string().describe('The name of the passkey, such as Chrome on Windows.'),
  createdAt: timestamp.describe('When it was added.'),
  lastUsedAt: timestamp.nullable().describe('When it last signed in; null if never.'),
});
export type Passkey = z.output<typeof passkey>;

/** Options as JSON, whose other fields WebAuthn (level 3) defines. */
const options = (name: string) =>
  z
    .looseObject({
      challenge: z.string().describe('The challenge, valid for five minutes and one answer.'),
    })
    .describe(`WebAuthn's ${name}.`);

const bytes = (limit: number) =>
  z
    .string()
    .max(limit)
    .regex(/^[\w-]*$/u, { error: 'This is not in base64url.' });

const clientDataJSON = bytes(4000).describe('Data that the browser signed, as JSON in base64url.');

const credential = {
  id: bytes(1400).describe('The ID of the credential, in base64url.'),
  rawId: bytes(1400).describe('The same ID.'),
  type: z.literal('public-key'),
};

const registration = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON,
      attestationObject: bytes(8000).describe('The public key, as WebAuthn encodes it.'),
    }),
  })
  .describe("WebAuthn's RegistrationResponseJSON.");
export type PasskeyRegistration = z.output<typeof registration>;

const assertion = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON,
      authenticatorData: bytes(4000).describe('The data that the authenticator signed.'),
      signature: bytes(4000).describe('The signature.'),
      userHandle: bytes(100).optional().describe('The ID of the owner of the passkey.'),
    }),
  })
  .describe("WebAuthn's AuthenticationResponseJSON.");
export type PasskeyAssertion = z.output<typeof assertion>;

const crossSite = 'The call comes from another site.';
const notFound = { 404: 'No such passkey.' } as const;
const tooMany = { 409: `The user has ${PASSKEY_LIMIT} passkeys, the maximum.` };

export const listPasskeys = defineRoute('GET /passkeys', {
  summary: "The caller's passkeys, newest first",
  data: z.array(passkey),
});

export const startPasskey = defineRoute('POST /passkeys/options', {
  fresh: true,
  summary: 'Options for creating a passkey in a browser',
  data: options('PublicKeyCredentialCreationOptionsJSON'),
  errors: tooMany,
});

export const addPasskey = defineRoute('POST /passkeys', {
  fresh: true,
  summary: 'Add the passkey that the browser created',
  body: z.object({ name: passkeyName, credential: registration }),
  data: passkey,
  message: 'Passkey added.',
  errors: tooMany,
});

export const renamePasskey = defineRoute('PUT /passkeys/{id}', {
  summary: 'Rename a passkey',
  params: z.object({ id }),
  body: z.object({ name: passkeyName }),
  data: passkey,
  message: 'Passkey renamed.',
  errors: notFound,
});

export const removePasskey = defineRoute('DELETE /passkeys/{id}', {
  summary: 'Remove a passkey',
  params: z.object({ id }),
  data: z.null(),
  message: 'Passkey removed.',
  errors: notFound,
});

export const startPasskeySignIn = defineRoute('POST /auth/passkey/options', {
  auth: 'public',
  summary: 'Options for signing in with a passkey in this browser',
  data: options('PublicKeyCredentialRequestOptionsJSON'),
  errors: { 403: crossSite },
});

export const signInWithPasskey = defineRoute('POST /auth/passkey', {
  auth: 'public',
  summary: 'Sign in with a passkey',
  body: z.object({
    credential: assertion,
    location: z.string().max(300).nullish().describe('The place that the call comes from.'),
    device: z.string().max(100).nullish().describe('The device or program of the call.'),
  }),
  data: session,
  message: 'Login successful.',
  errors: {
    401: 'The passkey is unknown, or its response is wrong, late or from another browser.',
    403: crossSite,
  },
});

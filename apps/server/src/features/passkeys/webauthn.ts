import type { PasskeyAssertion, PasskeyRegistration } from '@engram/contract';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import {
  COSEALG,
  decodeAttestationObject,
  decodeClientDataJSON,
  isoBase64URL,
} from '@simplewebauthn/server/helpers';
import { CHALLENGE_TTL_MS } from './challenges.ts';
import type { PasskeyRow } from './passkeys.tables.ts';

/** Explicit, because the library adds ML-DSA if Node supports it, which other versions cannot verify. */
const ALGORITHMS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];

/** The origin of the page, and whether a challenge is valid for the caller. */
interface Expected {
  origin: string;
  isExpected: (challenge: string) => boolean;
}

/** The domain of passkeys. */
const rpIdOf = (origin: string): string => new URL(origin).hostname;

const challengeOf = ({ response }: PasskeyAssertion | PasskeyRegistration): string =>
  decodeClientDataJSON(response.clientDataJSON).challenge;

const checks = ({ origin, isExpected }: Expected) => ({
  expectedChallenge: isExpected,
  expectedOrigin: origin,
  expectedRPID: rpIdOf(origin),
  requireUserVerification: true,
});

/**
 * Certificates of authenticators are neither requested nor accepted, because verifying them would fetch
 * revocation lists from other servers.
 */
function hasCertificates({ response }: PasskeyRegistration): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get('fmt');
  if (format === 'packed') return attestation.get('attStmt').get('x5c') !== undefined;
  return format !== 'none';
}

interface NewPasskey {
  origin: string;
  challenge: string;
  userHandle: Buffer<ArrayBuffer>;
  email: string;
  /** The IDs of existing credentials, whose authenticators must not create another one. */
  known: readonly string[];
}

export const creationOptions = (passkey: NewPasskey) =>
  generateRegistrationOptions({
    rpName: 'Engram',
    rpID: rpIdOf(passkey.origin),
    userID: passkey.userHandle,
    userName: passkey.email,
    userDisplayName: passkey.email,
    challenge: passkey.challenge,
    timeout: CHALLENGE_TTL_MS,
    excludeCredentials: passkey.known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });

/** The options for signing in, which do not name an account. */
export const requestOptions = (origin: string, challenge: string) =>
  generateAuthenticationOptions({
    rpID: rpIdOf(origin),
    challenge,
    timeout: CHALLENGE_TTL_MS,
    userVerification: 'required',
  });

/** The new credential and the challenge. @throws Error if a check fails. */
export async function verifyRegistration(credential: PasskeyRegistration, expected: Expected) {
  if (hasCertificates(credential)) throw new Error('The attestation has certificates.');
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    ...checks(expected),
    response: { ...credential, clientExtensionResults: {} },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  if (!verified) throw new Error('The attestation is not valid.');
  return { credential: registrationInfo.credential, challenge: challengeOf(credential) };
}

/** The passkey's new counter and the challenge. @throws Error if a check fails. */
export async function verifyAssertion(
  credential: PasskeyAssertion,
  { credentialId, publicKey, counter }: PasskeyRow,
  expected: Expected,
) {
  const { clientDataJSON, authenticatorData, signature } = credential.response;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...checks(expected),
    response: {
      ...credential,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter },
  });
  if (!verified) throw new Error('The signature is not valid.');
  return { counter: authenticationInfo.newCounter, challenge: challengeOf(credential) };
}

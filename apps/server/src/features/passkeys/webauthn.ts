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

/** Named, since the library adds ML-DSA where Node has it, and another Node could not verify that. */
const ALGORITHMS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];

/** The origin of the page, and whether a challenge is valid for the caller. */
interface Expected {
  origin: string;
  isExpected: (challenge: string) => boolean;
}

/** The domain that passkeys belong to. */
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
 * Certificates of authenticators are not requested, and not accepted: verifying them would fetch lists of
 * revoked ones from other servers.
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
  /** The IDs of credentials whose authenticators must not make another one. */
  known: readonly string[];
}

export const creationOptions = (given: NewPasskey) =>
  generateRegistrationOptions({
    rpName: 'Engram',
    rpID: rpIdOf(given.origin),
    userID: given.userHandle,
    userName: given.email,
    userDisplayName: given.email,
    challenge: given.challenge,
    timeout: CHALLENGE_TTL_MS,
    excludeCredentials: given.known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });

/** The options of a sign-in, which name no account. */
export const requestOptions = (origin: string, challenge: string) =>
  generateAuthenticationOptions({
    rpID: rpIdOf(origin),
    challenge,
    timeout: CHALLENGE_TTL_MS,
    userVerification: 'required',
  });

/** The new credential, and the challenge. @throws Error for each check that fails. */
export async function verifyRegistration(given: PasskeyRegistration, expected: Expected) {
  if (hasCertificates(given)) throw new Error('The attestation has certificates.');
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    ...checks(expected),
    response: { ...given, clientExtensionResults: {} },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  if (!verified) throw new Error('The attestation is not valid.');
  return { credential: registrationInfo.credential, challenge: challengeOf(given) };
}

/** The new counter of the passkey, and the challenge. @throws Error for each check that fails. */
export async function verifyAssertion(
  given: PasskeyAssertion,
  { credentialId, publicKey, counter }: PasskeyRow,
  expected: Expected,
) {
  const { clientDataJSON, authenticatorData, signature } = given.response;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...checks(expected),
    response: {
      ...given,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter },
  });
  if (!verified) throw new Error('The signature is wrong.');
  return { counter: authenticationInfo.newCounter, challenge: challengeOf(given) };
}

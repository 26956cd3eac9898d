import type { PasskeyAssertion, PasskeyRegistration } from '@engram/contract';
import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto';

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

const sha256 = (bytes: Buffer | string): Buffer => hash('sha256', bytes, 'buffer');

const base64url = (bytes: Buffer): string => bytes.toString('base64url');

/** The major type and the length or number of a CBOR item. */
function head(major: number, n: number): Buffer {
  if (n < 24) return Buffer.from([(major << 5) | n]);
  if (n < 256) return Buffer.from([(major << 5) | 24, n]);
  return Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
}

/** CBOR (RFC 8949) of the types that WebAuthn needs. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (value instanceof Map) {
    return Buffer.concat([head(5, value.size), ...[...value].flat().map((item) => cbor(item))]);
  }
  const content = Buffer.from(value);
  return Buffer.concat([head(typeof value === 'string' ? 3 : 2, content.length), content]);
}

interface Options {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
  user?: { id: string };
}

/** Ways in which an authenticator or a browser may misbehave. */
export interface Deviations {
  origin?: string;
  rpId?: string;
  userHandle?: string;
  counter?: number;
  isUserVerified?: boolean;
  /** The attestation of an authenticator with a certificate. */
  certificate?: Buffer;
}

const PRESENT = 0b1;
const VERIFIED = 0b100;
const ATTESTED = 0b100_0000;

/** An authenticator with one passkey (ES256), and the browser at a page of `origin` that uses it. */
export function createAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  const named = { id: base64url(id), rawId: base64url(id), type: 'public-key' } as const;
  let userHandle = '';
  let counter = 0;

  const clientData = (type: string, { challenge }: Options, deviations: Deviations): Buffer =>
    Buffer.from(
      JSON.stringify({ type, challenge, origin: deviations.origin ?? origin, crossOrigin: false }),
    );

  const authenticatorData = (flags: number, rpId: string, deviations: Deviations): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(deviations.counter ?? counter);
    const verified = deviations.isUserVerified === false ? 0 : VERIFIED;
    const flag = Buffer.from([flags | PRESENT | verified]);
    return Buffer.concat([sha256(deviations.rpId ?? rpId), flag, count]);
  };

  const coseKey = () =>
    cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );

  return {
    /** Makes the passkey. */
    create(request: object, deviations: Deviations = {}): PasskeyRegistration {
      const options = request as Options;
      userHandle = options.user?.id ?? '';
      const length = Buffer.from([0, id.length]);
      const authData = Buffer.concat([
        authenticatorData(ATTESTED, options.rp?.id ?? '', deviations),
        Buffer.alloc(16),
        length,
        id,
        coseKey(),
      ]);
      const { certificate } = deviations;
      const statement = new Map<string, Cbor>(
        certificate && [
          ['alg', -7],
          ['sig', Buffer.alloc(70)],
          ['x5c', certificate],
        ],
      );
      const attestationObject = cbor(
        new Map<string, Cbor>([
          ['fmt', certificate ? 'packed' : 'none'],
          ['attStmt', statement],
          ['authData', authData],
        ]),
      );
      const clientDataJSON = base64url(clientData('webauthn.create', options, deviations));
      return {
        ...named,
        response: { clientDataJSON, attestationObject: base64url(attestationObject) },
      };
    },

    /** Signs a challenge. */
    get(request: object, deviations: Deviations = {}): PasskeyAssertion {
      const options = request as Options;
      counter += 1;
      const json = clientData('webauthn.get', options, deviations);
      const data = authenticatorData(0, options.rpId ?? '', deviations);
      return {
        ...named,
        response: {
          clientDataJSON: base64url(json),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', Buffer.concat([data, sha256(json)]), privateKey)),
          userHandle: deviations.userHandle ?? userHandle,
        },
      };
    },
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

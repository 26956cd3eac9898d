import { createHmac, createSecretKey } from 'node:crypto';
import { sameText } from '../../platform/http/signed-tokens.ts';

/** Bytes of a UUID, and of the HMAC over it. */
const ID_BYTES = 16;
const MAC_BYTES = 16;

export interface ShareLinks {
  /** What the link of a share ends in. */
  word: (shareId: string) => string;
  /** The share that a word belongs to; null for a word that is not one of ours. */
  read: (word: string) => string | null;
}

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');

/**
 * The words that shared links end in: the share's id and an HMAC-SHA256 over it, cut to 128 bits.
 * They can be told again from the id alone, and nobody who reads the database can make one.
 */
export function createShareLinks(secret: string): ShareLinks {
  const key = createSecretKey(createHmac('sha256', secret).update('shares').digest());
  const wordOf = (id: Buffer): string => {
    const mac = createHmac('sha256', key).update(id).digest().subarray(0, MAC_BYTES);
    return Buffer.concat([id, mac]).toString('base64url');
  };

  return {
    word: (shareId) => wordOf(Buffer.from(shareId.replaceAll('-', ''), 'hex')),

    read(word) {
      const id = Buffer.from(word, 'base64url').subarray(0, ID_BYTES);
      // Compared as written: the same bytes can be written in several ways, and one is ours.
      return sameText(word, wordOf(id)) ? uuidOf(id) : null;
    },
  };
}

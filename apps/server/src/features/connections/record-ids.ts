import { createHash, createHmac } from 'node:crypto';

/** Kinds of records whose id is a secret: whoever has it is let in. */
const SECRET_KINDS = new Set(['AccessToken', 'RefreshToken', 'AuthorizationCode', 'DeviceCode']);

/** What stands for a secret id that nobody but the program knows any more. */
const KNOWN_BY_HASH = 'sha256:';

// 256 random bits: nobody finds one from its hash, so that nothing slower is needed.
const hashOf = (value: string): string => createHash('sha256').update(value).digest('base64url');

/** The hash that an access token is kept under. */
export const hashOfToken = hashOf;

/** Under which ids records are kept, so that no code and no token is in the database. */
export function createRecordIds(secret: string) {
  const userCodeKey = createHmac('sha256', secret).update('connections:user-code').digest();

  return {
    isSecret: (kind: string): boolean => SECRET_KINDS.has(kind),

    /** Where a record is that somebody names by its id. */
    named: (kind: string, id: string): string => (SECRET_KINDS.has(kind) ? hashOf(id) : id),

    /** Where a record is that the server holds already, also one that was found by its user code. */
    held: (kind: string, id: string): string => {
      if (!SECRET_KINDS.has(kind)) return id;
      return id.startsWith(KNOWN_BY_HASH) ? id.slice(KNOWN_BY_HASH.length) : hashOf(id);
    },

    /** The id of a record that was found by something else than its secret id. */
    byHash: (hash: string): string => KNOWN_BY_HASH + hash,

    /** What is kept of a code that a person types: 34 bits, which a plain hash would not hide. */
    userCode: (userCode: string): string =>
      createHmac('sha256', userCodeKey).update(userCode).digest('base64url'),
  };
}

export type RecordIds = ReturnType<typeof createRecordIds>;

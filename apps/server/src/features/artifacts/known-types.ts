import type { FILE_TYPES, SpokenKind } from '@engram/contract';
import type { ENDINGS } from '@engram/extraction';
import type { FileKind } from '@engram/retrieval';

/** Null where both types say the same: then nothing else can be assigned to it. */
type Difference<A, B> = [A] extends [B] ? ([B] extends [A] ? null : B) : A;

type EndingsOfTable = {
  readonly [Type in keyof typeof FILE_TYPES]: (typeof FILE_TYPES)[Type]['endings'];
};

/**
 * The readers and the search import no other package, so each has names of its own for types of
 * files. This file does not compile unless they are those of the contract's table.
 */
export const differences: {
  endings: Difference<EndingsOfTable, typeof ENDINGS>;
  spoken: Difference<SpokenKind, FileKind>;
} = { endings: null, spoken: null };

import type { FILE_TYPES, SpokenKind } from '@engram/contract';
import type { FILE_TYPES as READ_TYPES } from '@engram/extraction';
import type { FileKind } from '@engram/retrieval';

/** Null if both types are the same: then nothing else can be assigned to it. */
type Difference<A, B> = [A] extends [B] ? ([B] extends [A] ? null : B) : A;

type EndingsOf<Table extends Record<string, { endings: readonly string[] }>> = {
  readonly [Type in keyof Table]: Table[Type]['endings'];
};

/**
 * Extraction and retrieval import no other package, so each has its own names for types of files.
 * This file does not compile unless they are those of the contract's table.
 */
export const differences: {
  endings: Difference<EndingsOf<typeof FILE_TYPES>, EndingsOf<typeof READ_TYPES>>;
  spoken: Difference<SpokenKind, FileKind>;
} = { endings: null, spoken: null };

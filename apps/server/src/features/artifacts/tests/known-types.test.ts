import type { FILE_TYPES, SpokenKind } from '@engram/contract';
import type { FILE_TYPES as READ_TYPES } from '@engram/extraction';
import type { FileKind } from '@engram/retrieval';
import { expectTypeOf, test } from 'vitest';

type EndingsOf<Table extends Record<string, { endings: readonly string[] }>> = {
  readonly [Type in keyof Table]: Table[Type]['endings'];
};

// Extraction and retrieval import no other package, so each has its own names for types of files.
test('the packages have the same types of files', () => {
  expectTypeOf<EndingsOf<typeof READ_TYPES>>().toEqualTypeOf<EndingsOf<typeof FILE_TYPES>>();
  expectTypeOf<FileKind>().toEqualTypeOf<SpokenKind>();
});

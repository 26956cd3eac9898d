import { type KnownFiles, shared } from './known-files.ts';
import type { RecordsRepository, TableFile } from './records.repository.ts';
import { createRemembered } from './remembered.ts';

/** Documents whose fields are known to a question, newest first, and files with tables. */
const MOST_FILES = 10_000;
/** Characters of the tables that one question looks at. */
const MOST_CHARACTERS = 16_000_000;
/** Bytes of all remembered tables together, and people whose files with tables are remembered. */
const REMEMBERED_BYTES = 96_000_000;
const REMEMBERED_PEOPLE = 1000;

/** The tables of people's files as questions ask them; remembered until one of the files changes. */
export function createKnownTables(
  repository: RecordsRepository,
  version: (userId: string) => Promise<number>,
) {
  const tables = createRemembered<KnownFiles>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: ({ json }) => json.byteLength + 1,
  });
  const files = createRemembered<TableFile[]>({ max: REMEMBERED_PEOPLE });

  /** The tables of some files, each in the order in which they are named. */
  async function tablesOf(
    userId: string,
    now: number,
    ids: readonly string[],
  ): Promise<KnownFiles[]> {
    const keyOf = (id: string): string => JSON.stringify([userId, now, id]);
    const known = new Map(ids.map((id) => [id, tables.kept.get(keyOf(id))]));
    const missing = ids.filter((id) => known.get(id) === undefined);
    if (missing.length > 0) {
      for (const [id, json] of await repository.tablesOf(userId, missing)) {
        const read = shared(keyOf(id), json);
        tables.kept.set(read.key, read);
        known.set(id, read);
      }
    }
    return [...known.values()].filter((each) => each !== undefined);
  }

  return {
    /**
     * The fields of all documents, and the tables of some files, the most important first, with those
     * of all other files that have rows of the same kind: a figure over some of these would be wrong.
     * What is too much together is left out. Each is a list of `RecordTable`.
     */
    async find(userId: string, ids: readonly string[]): Promise<KnownFiles[]> {
      const now = await version(userId);
      const all = await files.of([userId, now], () => repository.tableFiles(userId, MOST_FILES));
      const byId = new Map(all.map((file) => [file.id, file]));
      const chosen = new Set<string>();
      const done = new Set<string>();
      let left = MOST_CHARACTERS;
      for (const id of ids) {
        const shapes = new Set(byId.get(id)?.shapes);
        // A folder may hold thousands of statements of one kind, which came with the first of them.
        if (!byId.has(id) || (chosen.has(id) && shapes.isSubsetOf(done))) continue;
        const alike = all.filter(
          (file) =>
            !chosen.has(file.id) &&
            (file.id === id || file.shapes.some((shape) => shapes.has(shape))),
        );
        const size = alike.reduce((sum, file) => sum + file.size, 0);
        if (size > left) continue;
        left -= size;
        for (const file of alike) chosen.add(file.id);
        for (const shape of shapes) done.add(shape);
      }
      const [fields, found] = await Promise.all([
        tables.of([userId, now, 'fields'], async (key) =>
          shared(key, await repository.fieldTables(userId, MOST_FILES)),
        ),
        chosen.size === 0 ? [] : tablesOf(userId, now, [...chosen]),
      ]);
      return [fields, ...found];
    },

    /** To be called when a person is gone: nothing of theirs is remembered. */
    forget(userId: string): void {
      tables.forget(userId);
      files.forget(userId);
    },
  };
}

import { join } from 'node:path';
import { connect, MatchQuery, type Table } from '@lancedb/lancedb';
import { analyzeQuestion } from '@engram/retrieval';
import { schemaVersion } from '../apps/server/src/platform/index/index-schema.ts';

const RESULTS = 50;
const ATTEMPTS = 3;

/** A library's large table as the bare engine opens it, beside the server. */
export async function openRawEngine(indexFolder: string, userId: string) {
  const connection = await connect(join(indexFolder, userId, `v${schemaVersion}`));
  let table = await connection.openTable('main');

  /** The server may merge meanwhile, and take the files of the version that is open here. */
  async function reading<Result>(read: (table: Table) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await read(table);
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
        table.close();
        table = await connection.openTable('main');
      }
    }
  }

  return {
    /** Milliseconds of the query for a question's terms: the best 50 rows with all columns. */
    timeQuestion: (question: string): Promise<number> =>
      reading(async (open) => {
        const query = new MatchQuery(analyzeQuestion(question, ['en']).query, 'terms');
        const begin = performance.now();
        await open.query().fullTextSearch(query).limit(RESULTS).toArray();
        return performance.now() - begin;
      }),

    reading,

    close(): void {
      table.close();
      connection.close();
    },
  };
}

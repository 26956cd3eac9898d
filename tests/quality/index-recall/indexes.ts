import type { SearchIndex } from '../../../apps/server/src/platform/index/search-index.ts';
import { openOpenSearchIndex } from '../../../apps/server/src/platform/index/opensearch/opensearch-index.ts';
import { openSqliteIndex } from '../../../apps/server/src/platform/index/sqlite/sqlite-index.ts';

/** The search indexes to measure: SQLite, and the OpenSearch of ENGRAM_TEST_OPENSEARCH_URL if it is set. */
export async function openIndexes(
  folder: string,
): Promise<{ driver: string; index: SearchIndex }[]> {
  const log = { warn: console.warn };
  const sqlite = { driver: 'SQLite', index: await openSqliteIndex({ folder, log }) };
  const url = process.env['ENGRAM_TEST_OPENSEARCH_URL'];
  if (!url) return [sqlite];
  const index = openOpenSearchIndex({ url, name: 'engram-measured', log });
  return [sqlite, { driver: 'OpenSearch', index }];
}

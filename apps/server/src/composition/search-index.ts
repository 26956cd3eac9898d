import path from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { removeEarlierIndex } from '../platform/index/earlier-index.ts';
import type { SearchIndex } from '../platform/index/search-index.ts';
import { openSqliteIndex } from '../platform/index/sqlite/sqlite-index.ts';

/**
 * Opens the search index, as ENGRAM_SEARCH says. An OpenSearch that does not answer stops no start:
 * files are read and shown meanwhile, and what is to be indexed waits.
 */
export async function openSearchIndex(
  { search: url, searchIndex: name, dataDir }: Config,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<SearchIndex> {
  if (url === undefined) {
    await removeEarlierIndex(dataDir);
    return openSqliteIndex({ folder: path.join(dataDir, 'index'), log });
  }
  // The library is large, and only who uses it loads it.
  const { openOpenSearchIndex } = await import('../platform/index/opensearch/opensearch-index.ts');
  const index = openOpenSearchIndex({ url, name, log });
  // The driver logs what is wrong, and the next call tries again.
  await index.assertUsable().catch(() => undefined);
  return index;
}

import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { Client } from '@opensearch-project/opensearch';
import { expect } from 'vitest';
import type { SearchIndex } from '../../search-index.ts';
import { indexName } from '../connection.ts';
import { openOpenSearchIndex, type OpenSearchOptions } from '../opensearch-index.ts';

/** An OpenSearch server for tests, as `http://host:port`. The OpenSearch suites run if it is set. */
export const testOpenSearchUrl = process.env['ENGRAM_TEST_OPENSEARCH_URL'] ?? '';

const log = { warn: (details: object) => expect.fail(inspect(details)) };

/** A name for a test's own index, and a function that deletes the index. */
export function testIndexName() {
  const name = `engram-test-${randomUUID()}`;
  const remove = async () => {
    const client = new Client({ node: testOpenSearchUrl });
    await client.indices.delete({ index: indexName(name), ignore_unavailable: true });
    await client.close();
  };
  return { name, remove };
}

/** Opens an index for one test. */
export async function createTestIndex(options: Partial<OpenSearchOptions> = {}): Promise<{
  index: SearchIndex;
  dispose: () => Promise<void>;
}> {
  const { name, remove } = testIndexName();
  const index = openOpenSearchIndex({ url: testOpenSearchUrl, name, log, ...options });
  const dispose = async () => {
    await index.close();
    await remove();
  };
  return { index, dispose };
}

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { IndexUnavailable } from '../../index-unavailable.ts';
import { chunk } from '../../tests/index-rows.test-setup.ts';
import type { IndexRow, SearchIndex } from '../../search-index.ts';
import { openOpenSearchIndex } from '../opensearch-index.ts';

const user = randomUUID();
const put = (index: SearchIndex, row: IndexRow) =>
  index.replace(user, [{ artifactId: row.artifactId, rows: [row] }]);
const ask = (index: SearchIndex, term: string) => index.search(user, { terms: [term], limit: 1 });

async function startServer(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  return `http://engram:pass%20word@127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function openAt(url: string, readTimeoutMs?: number) {
  const logged: string[] = [];
  const warn = (details: object) =>
    void logged.push(inspect(details, { depth: 20, showHidden: true }));
  const index = openOpenSearchIndex({
    url,
    name: 'any',
    log: { warn },
    ...(readTimeoutMs ? { readTimeoutMs } : {}),
  });
  onTestFinished(() => index.close());
  return { index, logged };
}

describe('an OpenSearch server that fails', () => {
  it('a server that cannot be reached is reported', async () => {
    const { index } = openAt('http://127.0.0.1:1');
    await expect(ask(index, 'word')).rejects.toThrow('cannot be reached right now');
    await expect(put(index, chunk('word'))).rejects.toBeInstanceOf(IndexUnavailable);
    await expect(index.assertUsable()).rejects.toMatchObject({ status: 503, reason: 'down' });
  });

  it('a timeout is reported', async () => {
    const { index } = openAt(await startServer(() => undefined), 50);
    await expect(ask(index, 'word')).rejects.toMatchObject({ reason: 'slow', outage: true });
  });

  it.each([
    [401, 'refused'],
    [403, 'refused'],
    [429, 'full'],
    [500, 'down'],
    [503, 'down'],
  ])(
    'the response %i is reported as %s, and neither text nor password is logged',
    async (status, reason) => {
      const url = await startServer((request, response) => {
        const isSetup = request.method === 'PUT' || request.method === 'GET';
        response.writeHead(isSetup ? 200 : status, { 'content-type': 'application/json' });
        response.end(
          isSetup ? '{}' : JSON.stringify({ error: { type: 'any', reason: 'sayssecret' } }),
        );
      });
      const { index, logged } = openAt(url);
      await expect(ask(index, 'secretword')).rejects.toMatchObject({ reason });
      expect(logged).toHaveLength(1);
      expect(logged[0]).not.toMatch(/pass|secret|127\.0\.0\.1/u);
    },
  );

  it('a write that is refused temporarily is repeated', async () => {
    let bulks = 0;
    const url = await startServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url?.includes('_bulk')) {
        bulks += 1;
        response.statusCode = bulks === 1 ? 429 : 200;
        const status = bulks === 2 ? 429 : 201;
        return response.end(JSON.stringify({ items: [{ index: { status } }] }));
      }
      return response.end(JSON.stringify({ docs: [], hits: { hits: [] } }));
    });
    const { index } = openAt(url);
    await put(index, chunk('word'));
    // The rows three times, and the artifact.
    expect(bulks).toBe(4);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddingServer } from '../../../../tests/embedding-server.test-setup.ts';
import { createManualClock } from '../../../tests/clock.test-setup.ts';
import type { HubPin } from '../../hub.ts';
import { createEmbedder, type Embedder, type EmbedderSettings } from '../embedder.ts';

/** A server, a hub, and embedders that call them. */
export async function setUp() {
  const server = await startEmbeddingServer();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'engram-embedder-'));
  const clock = createManualClock();
  const logged: unknown[][] = [];
  const note = (...line: unknown[]): number => logged.push(line);
  const opened: Embedder[] = [];
  return {
    server,
    dataDir,
    clock,
    logged,
    open(
      embeddings: string,
      more: Partial<EmbedderSettings> & {
        mayFetch?: boolean;
        pinned?: ReadonlyMap<string, HubPin>;
      } = {},
    ) {
      const settings = {
        embeddings,
        modelHub: server.url,
        fetchAllow: [],
        modelsDir: path.join(dataDir, 'models'),
        ollamaBaseUrl: server.url,
        openaiBaseUrl: `${server.url}/v1`,
        ...more,
      };
      const { mayFetch = true, pinned = new Map<string, HubPin>() } = more;
      const options = { log: { info: note, warn: note }, clock, mayFetch, pinned };
      const embedder = createEmbedder(settings, options);
      if (!embedder) throw new Error('There is no embedder.');
      opened.push(embedder);
      return embedder;
    },
    async dispose() {
      for (const embedder of opened) await embedder.close();
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type TestSetup = Awaited<ReturnType<typeof setUp>>;

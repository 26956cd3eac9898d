import type { Pool, PoolClient } from 'pg';

const RECONNECT_MS = 1000;

/**
 * Keeps a connection for what lasts only as long as its session, and opens it again where it ends.
 * @param begin readies a connection; where it fails the connection is given up
 */
export function keepConnection(pool: Pool, begin: (client: PoolClient) => Promise<void>) {
  let kept: PoolClient | null = null;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;

  async function open(): Promise<void> {
    const client = await pool.connect();
    try {
      if (!ended) await begin(client);
    } catch (error) {
      client.release(true);
      throw error;
    }
    if (ended) return client.release(true);
    kept = client;
    client.once('end', () => {
      kept = null;
      client.release(true);
      openLater();
    });
  }

  function openLater(): void {
    if (!ended) timer = setTimeout(() => void open().catch(openLater), RECONNECT_MS).unref();
  }

  return {
    /** Opens it for the first time; where that rejects, it is not tried again. */
    open,
    /** Opens it soon, and tries until that goes well. */
    openLater,
    /** Gives it up; a second time does nothing. */
    end(): void {
      ended = true;
      clearTimeout(timer);
      kept?.removeAllListeners('end');
      kept?.release(true);
      kept = null;
    },
  };
}

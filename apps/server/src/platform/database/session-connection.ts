import type { Pool, PoolClient } from 'pg';

const RECONNECT_MS = 1000;

/** Keeps a connection whose session has state, which `begin` prepares, and reopens it if it is lost. */
export function keepConnection(pool: Pool, begin: (client: PoolClient) => Promise<void>) {
  let connection: PoolClient | null = null;
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
    connection = client;
    client.once('end', () => {
      connection = null;
      client.release(true);
      openLater();
    });
  }

  function openLater(): void {
    if (!ended) timer = setTimeout(() => void open().catch(openLater), RECONNECT_MS).unref();
  }

  return {
    open,
    openLater,
    end(): void {
      ended = true;
      clearTimeout(timer);
      connection?.removeAllListeners('end');
      connection?.release(true);
      connection = null;
    },
  };
}

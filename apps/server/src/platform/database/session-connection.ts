import type { Pool, PoolClient } from 'pg';

const RECONNECT_MS = 1000;

/** Holds a connection whose session has state, and opens it again. `begin` prepares it. */
export function holdConnection(pool: Pool, begin: (client: PoolClient) => Promise<void>) {
  let held: PoolClient | null = null;
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
    held = client;
    client.once('end', () => {
      held = null;
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
      held?.removeAllListeners('end');
      held?.release(true);
      held = null;
    },
  };
}

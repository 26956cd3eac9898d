import {
  createBatchReader,
  fatalErrorMessage,
  queryMessage,
  readTransactionStatus,
  type BatchReader,
} from './framing.ts';

interface SessionsOptions {
  execute(batch: Uint8Array): Uint8Array;
  send(connection: number, bytes: Uint8Array): void;
  /** Reports that a connection was closed by the server. */
  close(connection: number): void;
  /** Runs a task after what has already arrived has been received. */
  defer(task: () => void): void;
  startTimer(task: () => void, milliseconds: number): () => void;
  idleInTransactionMs: number;
}

/**
 * Multiplexes client connections over the one backend of the embedded database. Batches run in the order
 * of their arrival. A connection with an open transaction owns the backend until the transaction ends.
 */
export function createSessions(options: SessionsOptions) {
  const readers = new Map<number, BatchReader>();
  let waiting: { connection: number; batch: Uint8Array }[] = [];
  let owner: number | null = null;
  let scheduled = false;
  let stopIdleTimer: (() => void) | null = null;

  function takeNext() {
    const index = owner === null ? 0 : waiting.findIndex((entry) => entry.connection === owner);
    return index < 0 ? undefined : waiting.splice(index, 1)[0];
  }

  function runNext(): void {
    const next = takeNext();
    if (!next) return;
    stopIdleTimer?.();
    stopIdleTimer = null;
    const answer = options.execute(next.batch);
    options.send(next.connection, answer);
    owner = readTransactionStatus(answer) === 'idle' ? null : next.connection;
    if (owner !== null && !waiting.some((entry) => entry.connection === owner)) {
      stopIdleTimer = options.startTimer(
        () => expire(next.connection),
        options.idleInTransactionMs,
      );
    }
    schedule();
  }

  function schedule(): void {
    if (scheduled || waiting.length === 0) return;
    scheduled = true;
    options.defer(() => {
      scheduled = false;
      runNext();
    });
  }

  function expire(connection: number): void {
    const message = 'The transaction waited too long for its next statement and was rolled back.';
    options.send(connection, fatalErrorMessage('25P03', message));
    end(connection);
    options.close(connection);
  }

  function end(connection: number): void {
    if (!readers.delete(connection)) return;
    waiting = waiting.filter((entry) => entry.connection !== connection);
    if (owner !== connection) return;
    stopIdleTimer?.();
    stopIdleTimer = null;
    owner = null;
    // A Sync message ends an incomplete extended query, after whose error all messages are skipped.
    options.execute(Buffer.from([0x53, 0, 0, 0, 4]));
    options.execute(queryMessage('ROLLBACK'));
    schedule();
  }

  return {
    open(connection: number): void {
      readers.set(connection, createBatchReader());
    },
    receive(connection: number, bytes: Uint8Array): void {
      for (const batch of readers.get(connection)?.push(bytes) ?? []) {
        waiting.push({ connection, batch });
      }
      if (!scheduled) runNext();
    },
    end,
  };
}

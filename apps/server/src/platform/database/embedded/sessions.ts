import {
  createBatchReader,
  fatalErrorMessage,
  queryMessage,
  readTransactionStatus,
  type BatchReader,
} from './framing.ts';

/** What the sessions need from the thread they run in. */
export interface SessionsOptions {
  /** Executes whole protocol messages on the one backend and returns its answer. */
  execute(batch: Uint8Array): Uint8Array;
  /** Sends bytes to a client. */
  send(connection: number, bytes: Uint8Array): void;
  /** Tells that a connection was ended from this side. */
  close(connection: number): void;
  /** Runs a task after what has already arrived has been received. */
  defer(task: () => void): void;
  /** Starts a timer and returns what stops it. */
  startTimer(task: () => void, milliseconds: number): () => void;
  /** How long a transaction may wait for its client's next statement. */
  idleInTransactionMs: number;
}

/** Many client connections over the one backend that the embedded database has. */
export interface Sessions {
  open(connection: number): void;
  receive(connection: number, bytes: Uint8Array): void;
  /** Ends a connection; a transaction it left open is rolled back. */
  end(connection: number): void;
}

/**
 * Multiplexes connections over one backend. Batches run in the order in which they arrived, one at a
 * time; a connection whose transaction is open owns the backend until it commits or rolls back, so
 * transactions never interleave.
 */
export function createSessions(options: SessionsOptions): Sessions {
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
    // The first message ends an extended query that was cut short, whose errors skip all until then.
    options.execute(Buffer.from([0x53, 0, 0, 0, 4]));
    options.execute(queryMessage('ROLLBACK'));
    schedule();
  }

  return {
    open(connection) {
      readers.set(connection, createBatchReader());
    },
    receive(connection, bytes) {
      for (const batch of readers.get(connection)?.push(bytes) ?? []) {
        waiting.push({ connection, batch });
      }
      if (!scheduled) runNext();
    },
    end,
  };
}

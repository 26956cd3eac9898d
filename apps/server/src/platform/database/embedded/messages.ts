/** What the worker thread is started with. */
export interface WorkerSettings {
  /** The folder that holds the cluster. */
  folder: string;
  /** Milliseconds that a transaction may wait for its client's next statement. */
  idleInTransactionMs: number;
  /** Shared with the owner: when the running batch began, in milliseconds of its clock, 0 if none runs. */
  busySince: SharedArrayBuffer;
}

/** Messages to the worker thread. */
export type ToWorker =
  | { kind: 'open'; connection: number }
  | { kind: 'data'; connection: number; bytes: Uint8Array }
  | { kind: 'end'; connection: number }
  | { kind: 'shutdown' };

/** Messages from the worker thread. `greeting` answers a client's startup message. */
export type FromWorker =
  | { kind: 'ready'; greeting: Uint8Array }
  | { kind: 'data'; connection: number; bytes: Uint8Array }
  | { kind: 'closed'; connection: number }
  | { kind: 'stopped' };

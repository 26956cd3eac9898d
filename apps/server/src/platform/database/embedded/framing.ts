/** A connection's first message has no type byte, unlike all later ones. */
const STARTUP_HEADER_BYTES = 4;
const MESSAGE_HEADER_BYTES = 5;

/** Messages that have a response: Query, Sync, Flush, function call. */
const ENDS_A_BATCH = new Set(['Q', 'S', 'H', 'F'].map((letter) => letter.charCodeAt(0)));

/**
 * Splits the messages of a client into batches. Each ends with a message that has a response, so that an
 * extended query (Parse, Bind, Execute, Sync) is one batch. The startup message is dropped.
 * Message layout: https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function createBatchReader() {
  let pieces: Uint8Array[] = [];
  let available = 0;
  /** Bytes of complete messages that belong to the next batch. */
  let scanned = 0;
  let needed = STARTUP_HEADER_BYTES;
  let started = false;

  return {
    push(bytes: Uint8Array): Uint8Array[] {
      pieces.push(bytes);
      available += bytes.length;
      const batches: Uint8Array[] = [];
      // Large messages are joined only once they are complete.
      if (available < needed) return batches;
      let pending = Buffer.concat(pieces);
      for (;;) {
        const header = started ? MESSAGE_HEADER_BYTES : STARTUP_HEADER_BYTES;
        needed = scanned + header;
        if (pending.length < needed) break;
        needed = scanned + pending.readInt32BE(needed - 4) + (started ? 1 : 0);
        if (pending.length < needed) break;
        const type = pending[scanned] ?? 0;
        scanned = needed;
        if (started && !ENDS_A_BATCH.has(type)) continue;
        if (started) batches.push(pending.subarray(0, scanned));
        started = true;
        pending = pending.subarray(scanned);
        scanned = 0;
      }
      pieces = [pending];
      available = pending.length;
      return batches;
    },
  };
}

/** The transaction status in the ReadyForQuery message that ends a response, or null. */
export function readTransactionStatus(response: Uint8Array): 'idle' | 'open' | null {
  const end = response.length;
  if (end < 6 || response[end - 6] !== 0x5a || response[end - 2] !== 5) return null;
  return response[end - 1] === 0x49 ? 'idle' : 'open';
}

export function queryMessage(sql: string): Uint8Array {
  const text = Buffer.from(`${sql}\0`);
  const header = Buffer.alloc(MESSAGE_HEADER_BYTES, 'Q');
  header.writeInt32BE(text.length + 4, 1);
  return Buffer.concat([header, text]);
}

export function fatalErrorMessage(code: string, message: string): Uint8Array {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const header = Buffer.alloc(MESSAGE_HEADER_BYTES, 'E');
  header.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([header, fields]);
}

/** Bytes that are read on demand, because recordings may be large. */
export interface ByteSource {
  size: number;
  /** The bytes from `start` up to `end`, both within the size. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** Bytes of one read. The next read is usually nearby. */
const BLOCK = 1 << 20;

export function bytesSource(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: async (start, end) => bytes.subarray(start, end) };
}

export function buffered(source: ByteSource): ByteSource {
  let blockStart = 0;
  let block = new Uint8Array(0);
  return {
    size: source.size,
    async read(start, end) {
      if (start < blockStart || end > blockStart + block.length) {
        if (end - start > BLOCK) return source.read(start, end);
        block = Uint8Array.from(await source.read(start, Math.min(source.size, start + BLOCK)));
        blockStart = start;
      }
      return block.slice(start - blockStart, end - blockStart);
    },
  };
}

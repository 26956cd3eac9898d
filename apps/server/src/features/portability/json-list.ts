const MAX_ENTRY_BYTES = 2_000_000;

const MAX_DEPTH = 32;

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE, COMMA] = Buffer.from('"\\[]{},');

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

type Expected = 'list' | 'first' | 'entry' | 'separator' | 'next' | 'end';

function createEntry() {
  let parts: Buffer[] = [];
  let size = 0;
  let depth = 0;
  let inText = false;
  let escaped = false;

  /** Whether the entry ends with this byte. */
  const endsWith = (byte: number): boolean => {
    if (inText) {
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === OPEN || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE || byte === CLOSE_LIST) depth -= 1;
    if (depth > MAX_DEPTH) throw new Error('an entry is nested too deeply');
    return depth === 0 && !inText;
  };

  return {
    endsWith,

    add(part: Buffer): void {
      size += part.length;
      if (size > MAX_ENTRY_BYTES) throw new Error('an entry is too long');
      parts.push(part);
    },

    take(): unknown {
      const text = Buffer.concat(parts).toString();
      parts = [];
      size = 0;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        throw new Error('an entry is not JSON');
      }
    },
  };
}

/**
 * Parses a JSON list of objects of any length. Holds one entry in memory at a time.
 * @throws Error for other JSON, and if an entry is too long or nested too deeply
 */
export async function* readJsonList(content: AsyncIterable<Buffer>): AsyncGenerator<unknown> {
  const entry = createEntry();
  let expected = 'list' as Expected;
  for await (const chunk of content) {
    let from = 0;
    for (let i = 0; i < chunk.length; i += 1) {
      const byte = chunk[i] ?? 0;
      if (expected === 'entry') {
        if (!entry.endsWith(byte)) continue;
        entry.add(chunk.subarray(from, i + 1));
        yield entry.take();
        expected = 'separator';
      } else if (isSpace(byte)) {
        continue;
      } else if (expected === 'list' && byte === OPEN_LIST) {
        expected = 'first';
      } else if ((expected === 'first' || expected === 'next') && byte === OPEN) {
        from = i;
        entry.endsWith(byte);
        expected = 'entry';
      } else if (expected === 'separator' && byte === COMMA) {
        expected = 'next';
      } else if ((expected === 'separator' || expected === 'first') && byte === CLOSE_LIST) {
        expected = 'end';
      } else {
        throw new Error('this is not a list of objects');
      }
    }
    if (expected === 'entry') entry.add(chunk.subarray(from));
  }
  if (expected !== 'end') throw new Error('the list has no end');
}

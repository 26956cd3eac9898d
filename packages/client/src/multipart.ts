/** The body and headers of a form. */
export interface FormRequest {
  headers: Record<string, string>;
  body: FormData | ReadableStream<Uint8Array>;
}

/** A file of a form that is read while it is sent. */
export interface StreamedPart {
  name: string;
  /** The media type, or an empty string. */
  type: string;
  /** In bytes, or null. */
  size: number | null;
  open: () => AsyncIterable<Uint8Array>;
}

const ESCAPES: Record<string, string> = { '"': '%22', '\r': '%0D', '\n': '%0A' };
const encoder = new TextEncoder();
const LINE_END = encoder.encode('\r\n');

const headOf = (boundary: string, disposition: string, more = ''): Uint8Array =>
  encoder.encode(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`);

/** The sum of the sizes, or null if one of them is unknown. */
export const sumOf = (sizes: readonly (number | null)[]): number | null =>
  sizes.reduce<number | null>(
    (total, size) => (total === null || size === null ? null : total + size),
    0,
  );

/** A stream that pulls each chunk from a generator on demand. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await chunks.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}

/** Streams a form with fields and parts named `files`, without loading it into memory. */
export function streamForm(
  fields: Readonly<Record<string, string>>,
  parts: readonly StreamedPart[],
): FormRequest {
  const boundary = crypto.randomUUID();
  // Fields come first, so that the server knows them when the files' bytes arrive.
  const fieldParts = Object.entries(fields).flatMap(([name, value]) => [
    headOf(boundary, `name="${name}"`),
    encoder.encode(`${value}\r\n`),
  ]);
  const heads = parts.map(({ name, type }) => {
    const escaped = name.replaceAll(/["\r\n]/gu, (character) => ESCAPES[character] ?? character);
    return headOf(
      boundary,
      `name="files"; filename="${escaped}"`,
      `Content-Type: ${type || 'application/octet-stream'}\r\n`,
    );
  });
  const end = encoder.encode(`--${boundary}--\r\n`);
  const length = sumOf([
    ...[...fieldParts, ...heads, end].map((chunk) => chunk.length),
    ...parts.map(({ size }) => (size === null ? null : size + LINE_END.length)),
  ]);

  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield* fieldParts;
    for (const [index, part] of parts.entries()) {
      yield heads[index] ?? LINE_END;
      yield* part.open();
      yield LINE_END;
    }
    yield end;
  }

  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(length === null ? {} : { 'content-length': String(length) }),
    },
    body: streamOf(chunks()),
  };
}

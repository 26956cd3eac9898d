import type { MadeRequest } from '../client.ts';
import { refuse } from './check.ts';
import type { Progress } from './options.ts';
import { isNode } from './settings.ts';
import type { Part } from './disk.ts';

const ESCAPES: Record<string, string> = { '"': '%22', '\r': '%0D', '\n': '%0A' };
const encoder = new TextEncoder();

const head = (boundary: string, disposition: string, more = ''): Uint8Array =>
  encoder.encode(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`);

const sum = (sizes: readonly (number | null)[]): number | null =>
  sizes.reduce<number | null>(
    (total, size) => (total === null || size === null ? null : total + size),
    0,
  );

/** What a generator yields, as a stream that asks for each piece when it is needed. */
function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}

/** Fields and files, written anew for each try and never in memory as a whole. */
export class Form {
  readonly #fields: Readonly<Record<string, string>>;
  readonly #parts: readonly Part[];
  readonly #onProgress: Progress | undefined;

  constructor(
    fields: Readonly<Record<string, string>>,
    parts: readonly Part[],
    onProgress?: Progress,
  ) {
    this.#fields = fields;
    this.#parts = parts;
    this.#onProgress = onProgress;
  }

  /** Whether the form can be sent a second time. */
  get again(): boolean {
    return this.#parts.every((part) => part.again);
  }

  /** The form as a request has it. */
  make(): MadeRequest {
    return isNode ? this.#streamed() : this.#asFormData();
  }

  /** Browsers stream what they know themselves, but no streams of ours. */
  #asFormData(): MadeRequest {
    const form = new FormData();
    for (const [name, value] of Object.entries(this.#fields)) form.append(name, value);
    for (const { name, blob } of this.#parts) {
      if (!blob) refuse('A browser cannot send a stream: hand in a Blob or bytes.', 'stream');
      else form.append('files', blob, name);
    }
    return { headers: {}, body: form };
  }

  #streamed(): MadeRequest {
    const boundary = crypto.randomUUID();
    const fields = Object.entries(this.#fields).map(([name, value]) => [
      head(boundary, `name="${name}"`),
      encoder.encode(`${value}\r\n`),
    ]);
    const heads = this.#parts.map(({ name, type }) => {
      const escaped = name.replaceAll(/["\r\n]/gu, (sign) => ESCAPES[sign] ?? sign);
      return head(
        boundary,
        `name="files"; filename="${escaped}"`,
        `Content-Type: ${type || 'application/octet-stream'}\r\n`,
      );
    });
    const end = encoder.encode(`--${boundary}--\r\n`);
    const around = [...fields.flat(), ...heads, end].map(({ length }) => length);
    const length = sum([
      ...around,
      ...this.#parts.map(({ size }) => (size === null ? null : size + 2)),
    ]);
    return {
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        ...(length === null ? {} : { 'content-length': String(length) }),
      },
      body: streamOf(this.#pieces(fields.flat(), heads, end)),
    };
  }

  // Fields go first, so that the server knows them when the files' bytes arrive.
  async *#pieces(
    fields: Uint8Array[],
    heads: Uint8Array[],
    end: Uint8Array,
  ): AsyncGenerator<Uint8Array> {
    yield* fields;
    let sent = 0;
    const total = sum(this.#parts.map(({ size }) => size));
    for (const [at, part] of this.#parts.entries()) {
      yield heads[at] ?? end;
      for await (const piece of part.open()) {
        yield piece;
        sent += piece.length;
        this.#onProgress?.(sent, total);
      }
      yield encoder.encode('\r\n');
    }
    yield end;
  }
}

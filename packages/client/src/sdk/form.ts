import { type FormRequest, streamForm, sumOf } from '../multipart.ts';
import { refuse } from './check.ts';
import type { Part } from './disk.ts';
import type { Progress } from './options.ts';
import { isNode } from './settings.ts';

/** Fields and files. They are written again for each attempt. */
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

  get isRepeatable(): boolean {
    return this.#parts.every((part) => part.isRepeatable);
  }

  build(): FormRequest {
    return isNode ? this.#stream() : this.#formData();
  }

  /** Browsers stream Blobs themselves, but cannot send streams. */
  #formData(): FormRequest {
    const form = new FormData();
    for (const [name, value] of Object.entries(this.#fields)) form.append(name, value);
    for (const { name, blob } of this.#parts) {
      if (!blob) refuse('Browsers cannot send streams: pass a Blob or bytes.', 'stream');
      else form.append('files', blob, name);
    }
    return { headers: {}, body: form };
  }

  #stream(): FormRequest {
    const onProgress = this.#onProgress;
    const total = sumOf(this.#parts.map(({ size }) => size));
    let sent = 0;
    async function* reported(part: Part): AsyncGenerator<Uint8Array> {
      for await (const chunk of part.open()) {
        yield chunk;
        sent += chunk.length;
        onProgress?.(sent, total);
      }
    }
    const parts = this.#parts.map((part) => ({ ...part, open: () => reported(part) }));
    return streamForm(this.#fields, parts);
  }
}

import { type FormRequest, streamForm, sumOf } from '../multipart.ts';
import { refuse } from './check.ts';
import type { Part } from './disk.ts';
import type { Progress } from './options.ts';
import { isNode } from './settings.ts';

/** Fields and files. */
export interface Form {
  fields: Readonly<Record<string, string>>;
  parts: readonly Part[];
  onProgress?: Progress | undefined;
}

/** Browsers stream Blobs themselves, but cannot send streams. */
function formData({ fields, parts }: Form): FormRequest {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const { name, blob } of parts) {
    if (!blob) refuse('Browsers cannot send streams: pass a Blob or bytes.', 'stream');
    else form.append('files', blob, name);
  }
  return { headers: {}, body: form };
}

function nodeForm({ fields, parts, onProgress }: Form): FormRequest {
  const total = sumOf(parts.map(({ size }) => size));
  let sent = 0;
  async function* withProgress(part: Part): AsyncGenerator<Uint8Array> {
    for await (const chunk of part.open()) {
      yield chunk;
      sent += chunk.length;
      onProgress?.(sent, total);
    }
  }
  return streamForm(
    fields,
    parts.map((part) => ({ ...part, open: () => withProgress(part) })),
  );
}

/** Writes a form, again for each attempt. */
export const buildForm = (form: Form): FormRequest => (isNode ? nodeForm(form) : formData(form));

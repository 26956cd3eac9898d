import { StreamBrokenError } from '../errors.ts';
import type { Disk } from './disk.ts';
import type { Progress } from './options.ts';

/** Writes an open answer to a file, a piece at a time; answers the path. */
export async function saveResponse(
  save: Disk['save'],
  response: Response,
  path: string,
  onProgress?: Progress,
): Promise<string> {
  const length = response.headers.get('content-length');
  const total = length === null ? null : Number(length);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    const reader = response.body?.getReader();
    if (!reader) return;
    let written = 0;
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        yield next.value;
        written += next.value.length;
        onProgress?.(written, total);
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
    if (total !== null && written < total && !response.headers.has('content-encoding')) {
      throw new StreamBrokenError('The download broke off before its end.');
    }
  }
  await save(pieces(), path);
  return path;
}

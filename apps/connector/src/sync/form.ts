import { randomUUID } from 'node:crypto';
import type { MadeRequest } from '@engram/client';
import { contentOf, type Outgoing } from '@engram/folder-sync';
import type { Throttle } from './throttle.ts';

const encoder = new TextEncoder();
const ESCAPES: Record<string, string> = { '"': '%22', '\r': '%0D', '\n': '%0A' };

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function headOf(boundary: string, name: string, fileName?: string): Uint8Array {
  const file =
    fileName === undefined
      ? ''
      : `; filename="${fileName.replaceAll(/["\r\n]/gu, (sign) => ESCAPES[sign] ?? sign)}"`;
  const type = fileName === undefined ? '' : 'Content-Type: application/octet-stream\r\n';
  return encoder.encode(
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n`,
  );
}

/** An upload that is read from the disk while it is sent, whatever its size. */
export function makeForm(
  fields: Readonly<Record<string, string>>,
  files: readonly Outgoing[],
  throttle: Throttle,
  signal: AbortSignal,
): MadeRequest {
  const boundary = randomUUID();
  const line = encoder.encode('\r\n');
  // Fields go first, so that the server knows them when the files' bytes arrive.
  const before = Object.entries(fields).flatMap(([name, value]) => [
    headOf(boundary, name),
    encoder.encode(`${value}\r\n`),
  ]);
  const heads = files.map(({ file }) => headOf(boundary, 'files', nameOf(file.path)));
  const end = encoder.encode(`--${boundary}--\r\n`);
  const length =
    [...before, ...heads, end].reduce((sum, part) => sum + part.length, 0) +
    files.reduce((sum, { file }) => sum + file.size + line.length, 0);

  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield* before;
    for (const [at, one] of files.entries()) {
      yield heads[at] ?? line;
      for await (const piece of contentOf(one)) {
        await throttle.take(piece.length, signal);
        yield piece;
      }
      yield line;
    }
    yield end;
  }

  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(length),
    },
    body: ReadableStream.from(pieces()) as ReadableStream<Uint8Array>,
  };
}

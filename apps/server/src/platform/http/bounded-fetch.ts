import type { Clock } from '../clock.ts';

export interface FetchBounds {
  fetch: typeof globalThis.fetch;
  clock: Clock;
  timeoutMs: number;
  maxBytes: number;
}

export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** The body of a response. @throws the error of `tooLong` if it is longer than `maxBytes` */
export async function readBody(
  response: { body: AsyncIterable<Uint8Array> | null },
  maxBytes: number,
  tooLong: () => Error,
): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) throw tooLong();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Sends a request and reads the whole response, without redirects. @throws UnreachableError */
export async function fetchBounded(
  address: string,
  init: Omit<RequestInit, 'signal' | 'redirect'>,
  { fetch, clock, timeoutMs, maxBytes }: FetchBounds,
): Promise<{ status: number; headers: Headers; body: Buffer<ArrayBuffer> }> {
  const timeout = new AbortController();
  const timer = clock.setTimeout(() => timeout.abort(), timeoutMs);
  try {
    const response = await fetch(address, { ...init, redirect: 'manual', signal: timeout.signal });
    const { status, headers } = response;
    const tooLong = () => new Error(`The response has more than ${maxBytes} bytes.`);
    return { status, headers, body: await readBody(response, maxBytes, tooLong) };
  } catch (cause) {
    throw new UnreachableError(`${new URL(address).host} could not be reached.`, { cause });
  } finally {
    timeout.abort();
    clock.clearTimeout(timer);
  }
}

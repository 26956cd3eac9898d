import { MIMEType } from 'node:util';
import { parse as parseDisposition } from 'content-disposition';
import { HttpError } from '../../platform/http/errors.ts';
import { isClosedAddress } from '../../platform/http/guarded-fetch.ts';
import { parseWebAddress } from '../../platform/http/web-address.ts';

/** A response whose body has not been read. */
export interface OpenedAddress {
  /** The address after redirects, without its fragment. */
  address: string;
  /** In lower case, without parameters; '' if the server does not declare it. */
  mediaType: string;
  charset: string | undefined;
  /** The name that the server gives to the file. */
  fileName: string | undefined;
  /** Fails with an HttpError if the connection breaks. */
  body: AsyncIterable<Buffer>;
}

export interface FetchOptions {
  fetch: typeof globalThis.fetch;
  userAgent: string;
  signal: AbortSignal;
}

const MAX_REDIRECTS = 10;

const refusal = (status: number, code: string, message: string): HttpError =>
  new HttpError(status, code, message);

/** Converts an error of a fetch to one with a message for the user. */
function failureOf(error: unknown, address: string, signal: AbortSignal): unknown {
  if (error instanceof HttpError) return error;
  const { host } = new URL(address);
  if (isClosedAddress(error)) {
    const message = `${host} is not on the open internet, so Engram does not fetch it.`;
    return refusal(400, 'closed_address', message);
  }
  if (signal.aborted) return refusal(422, 'page_too_slow', `${host} takes too long to answer.`);
  return refusal(422, 'page_unreachable', `${host} cannot be reached.`);
}

async function* bodyOf(body: AsyncIterable<Uint8Array>, address: string, signal: AbortSignal) {
  try {
    for await (const part of body) yield Buffer.from(part);
  } catch (error) {
    throw failureOf(error, address, signal);
  }
}

/** The media type and charset of a header; empty if it is missing or malformed. */
function typeOf(header: string | null): Pick<OpenedAddress, 'mediaType' | 'charset'> {
  try {
    const { essence, params } = new MIMEType(header ?? '');
    return { mediaType: essence, charset: params.get('charset') ?? undefined };
  } catch {
    return { mediaType: '', charset: undefined };
  }
}

function fileNameOf(header: string | null): string | undefined {
  try {
    return header === null ? undefined : parseDisposition(header).parameters['filename'];
  } catch {
    return undefined;
  }
}

/**
 * Opens an address and follows its redirects, each of which must be on the open internet.
 * @throws HttpError 400 for an address that is not fetched, 422 if there is no page
 */
export async function openAddress(
  url: string,
  { fetch, userAgent, signal }: FetchOptions,
): Promise<OpenedAddress> {
  let address = parseWebAddress(url);
  const headers = { 'user-agent': userAgent, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  try {
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const response = await fetch(address, { headers, redirect: 'manual', signal });
      const location = response.headers.get('location');
      if (response.status >= 300 && response.status < 400 && location !== null) {
        await response.body?.cancel();
        address = parseWebAddress(location, address);
        continue;
      }
      const { host } = new URL(address);
      if (!response.ok || response.body === null) {
        await response.body?.cancel();
        const statusText = `${response.status} ${response.statusText.slice(0, 60)}`.trim();
        throw refusal(
          422,
          'page_refused',
          `${host} responds with '${statusText}' instead of a page.`,
        );
      }
      return {
        address,
        ...typeOf(response.headers.get('content-type')),
        fileName: fileNameOf(response.headers.get('content-disposition')),
        body: bodyOf(response.body, address, signal),
      };
    }
    throw refusal(422, 'too_many_redirects', `${new URL(address).host} redirects in a loop.`);
  } catch (error) {
    throw failureOf(error, address, signal);
  }
}

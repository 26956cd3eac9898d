import { createClient, type Client, type Uploader } from '@engram/client';

/** Sends a form by XMLHttpRequest, because fetch does not report the progress of an upload. */
const uploadWithProgress: Uploader = (url, { headers, body, signal, onProgress }) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    });
    request.addEventListener('load', () => {
      const retryAfter = request.getResponseHeader('retry-after');
      resolve(
        new Response(request.responseText, {
          status: request.status,
          headers: retryAfter ? { 'retry-after': retryAfter } : {},
        }),
      );
    });
    request.addEventListener('error', () =>
      reject(
        new TypeError('The server could not be reached. Check your connection and try again.'),
      ),
    );
    request.addEventListener('abort', () =>
      reject(new DOMException('The upload was stopped.', 'AbortError')),
    );
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });

interface ApiSession {
  token: () => string | null;
  onUnauthorized: () => void;
  withRecentAuthentication: <T>(call: () => Promise<T>) => Promise<T>;
}

let session: ApiSession = {
  token: () => null,
  onUnauthorized: () => undefined,
  withRecentAuthentication: (call) => call(),
};

/** Sets the session of all calls. Earlier calls are sent without a token. */
export function connectApi(apiSession: ApiSession): void {
  session = apiSession;
}

const client = createClient({
  baseUrl: '/v1',
  token: () => session.token(),
  uploader: uploadWithProgress,
  onUnauthorized: () => session.onUnauthorized(),
});

export const api: Client = {
  ...client,
  call: (...args) => session.withRecentAuthentication(() => client.call(...args)),
};

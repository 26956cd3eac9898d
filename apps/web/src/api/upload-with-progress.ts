import type { Uploader } from '@engram/client';

/** Sends a form by XMLHttpRequest, the only way a browser tells how much of a body it has sent. */
export const uploadWithProgress: Uploader = (url, { headers, body, signal, onProgress }) =>
  new Promise((resolve, reject) => {
    // One that was stopped already is told of nothing any more.
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

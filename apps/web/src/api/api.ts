import { createClient, type Client } from '@engram/client';
import { withFreshCode } from '../session/fresh-code.ts';
import { endSession, readSession } from '../session/session.ts';
import { uploadWithProgress } from '../uploads/upload-with-progress.ts';

const client = createClient({
  baseUrl: '/v1',
  token: () => readSession('token'),
  uploader: uploadWithProgress,
  onUnauthorized: endSession,
});

/** The one way of the web app to its server. A call that needs a fresh code asks the person for it. */
export const api: Client = {
  ...client,
  call: (...sent) => withFreshCode(() => client.call(...sent)),
};

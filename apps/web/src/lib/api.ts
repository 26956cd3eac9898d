import { createClient } from '@engram/client';
import { endSession, readSession } from './session.ts';
import { uploadWithProgress } from './upload-with-progress.ts';

/** The one way of the web app to its server. */
export const api = createClient({
  baseUrl: '/v1',
  token: () => readSession('token'),
  uploader: uploadWithProgress,
  onUnauthorized: endSession,
});

import { createClient, type Client } from '@engram/client';
import { uploadWithProgress } from './upload-with-progress.ts';

/** What calls need of the session. */
interface ApiSession {
  token: () => string | null;
  /** Called when the server does not know the session any more. */
  onUnauthorized: () => void;
  /** Runs a call; where the server asks for recent authentication, gets it and runs the call again. */
  withFreshCode: <T>(call: () => Promise<T>) => Promise<T>;
}

let session: ApiSession = {
  token: () => null,
  onUnauthorized: () => undefined,
  withFreshCode: (call) => call(),
};

/** Connects the calls to the session; until then they are sent without a token. */
export function connectApi(to: ApiSession): void {
  session = to;
}

const client = createClient({
  baseUrl: '/v1',
  token: () => session.token(),
  uploader: uploadWithProgress,
  onUnauthorized: () => session.onUnauthorized(),
});

/** The server's API, called as the signed-in user. */
export const api: Client = {
  ...client,
  call: (...sent) => session.withFreshCode(() => client.call(...sent)),
};

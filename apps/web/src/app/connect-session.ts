import { connectApi } from '../api/api.ts';
import { withFreshCode } from '../session/fresh-code.ts';
import { endSession, readSession } from '../session/session.ts';

/** Sends calls with the session's token, and ends the session where the server does. */
export const connectSession = (): void =>
  connectApi({ token: () => readSession('token'), onUnauthorized: endSession, withFreshCode });

import type { Session } from '@engram/contract';
import { validateCode as route } from '@engram/contract/browser';
import { api } from '../../../lib/api.ts';
import { deviceLabel } from '../../../lib/device.ts';

/** Exchanges a code for a session. */
export async function validateCode(email: string, code: string): Promise<Session> {
  return (await api.call(route, { body: { email, code, device: deviceLabel() } })).data;
}

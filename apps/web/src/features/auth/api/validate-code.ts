import type { Session } from '@engram/contract';
import { validateCode as route } from '@engram/contract/browser';
import { api } from '../../../lib/api.ts';
import { deviceLabel } from '../../../lib/device.ts';
import { heldPlace } from '../../../lib/position.ts';

/** Exchanges a code for a session. */
export async function validateCode(email: string, code: string): Promise<Session> {
  const body = { email, code, location: heldPlace(), device: deviceLabel() };
  return (await api.call(route, { body })).data;
}

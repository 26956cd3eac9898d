import type { Session } from '@engram/contract';
import { validateCode as route } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';
import { deviceLabel } from '../../../browser/device.ts';
import { heldPlace } from '../../../browser/position.ts';

/** Exchanges a code for a session. */
export async function validateCode(email: string, code: string): Promise<Session> {
  const body = { email, code, location: heldPlace(), device: deviceLabel() };
  return (await api.call(route, { body })).data;
}

import type { Session } from '@engram/contract';
import { signInWithLink as route } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';
import { deviceLabel } from '../../../browser/device.ts';
import { heldPlace } from '../../../browser/position.ts';
import type { SignInLink } from '../sign-in-link.ts';

/** Exchanges a mailed link for a session. */
export async function signInWithLink(link: SignInLink): Promise<Session> {
  const body = { ...link, location: heldPlace(), device: deviceLabel() };
  return (await api.call(route, { body })).data;
}

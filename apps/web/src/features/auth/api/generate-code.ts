import { generateCode as route } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';

/** Has a code sent to the address. */
export async function generateCode(email: string): Promise<void> {
  await api.call(route, { body: { email } });
}

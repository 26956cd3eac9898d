import { confirmSession as route } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';

/** Proves once more who is signed in, by a code that was mailed. */
export async function confirmSession(code: string): Promise<void> {
  await api.call(route, { body: { code } });
}

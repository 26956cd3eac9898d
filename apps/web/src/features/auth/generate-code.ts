import { generateCode as route, USE_NEWEST_MAIL } from '@engram/contract/browser';
import { api } from '../../api/api.ts';

/** Has a code mailed to the address. Answers whether the newest mail is to be used instead. */
export async function generateCode(email: string): Promise<{ useNewest: boolean }> {
  const { message } = await api.call(route, { body: { email } });
  return { useNewest: message === USE_NEWEST_MAIL };
}

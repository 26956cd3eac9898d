import type { InputOf, startSocialSignIn } from '@engram/contract';
import { startSocialSignIn as route } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';

type Request = InputOf<typeof startSocialSignIn>['query'];

/** The address of the page on which Google asks the person. */
export async function startGoogleSignIn(query: Request): Promise<string> {
  return (await api.call(route, { query })).data.url;
}

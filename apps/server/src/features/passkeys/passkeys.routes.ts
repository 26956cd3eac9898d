import {
  addPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
  startPasskey,
  startPasskeySignIn,
} from '@engram/contract';
import type { OriginOf } from '../../platform/http/hosts.ts';
import type { Mount } from '../../platform/http/mount.ts';
import type { SignInCalls } from '../auth/sign-in-calls.ts';
import type { SecurityEvents } from '../security-events/security-events.service.ts';
import type { PasskeysService } from './passkeys.service.ts';

export function mountPasskeysRoutes(
  mount: Mount,
  service: PasskeysService,
  { assertOwnSite, cookies, signInOrigin, answer }: SignInCalls,
  events: Pick<SecurityEvents, 'by'>,
  originOf: OriginOf,
): void {
  mount(listPasskeys, async ({ caller }) => ({ data: await service.list(caller.userId) }));

  mount(startPasskey, async ({ caller, request }) => ({
    data: { ...(await service.startAdding(caller, originOf(request))) },
  }));

  mount(addPasskey, async ({ body, caller, ip, request }) => {
    const data = await service.add(caller, body, originOf(request));
    await events.by('passkey_added', caller, ip, data.name);
    return { data };
  });

  mount(renamePasskey, async ({ body, caller, params }) => ({
    data: await service.rename(caller.userId, params.id, body.name),
  }));

  mount(removePasskey, async ({ caller, ip, params }) => {
    const name = await service.remove(caller.userId, params.id);
    await events.by('passkey_removed', caller, ip, name);
    return { data: null };
  });

  mount(startPasskeySignIn, async ({ request, reply }) => {
    assertOwnSite(request);
    const browser = cookies.ensureBrowser(reply);
    return { data: { ...(await service.startSignIn(browser, originOf(request))) } };
  });

  mount(signInWithPasskey, async ({ body, request, reply }) => {
    assertOwnSite(request);
    const origin = signInOrigin(request, body);
    return answer(reply, await service.signIn(origin, body.credential, originOf(request)));
  });
}

import { createShare, deleteShare, getSharedAnswer, listShares } from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { OriginOf } from '../../platform/http/origin.ts';
import type { SharesService } from './shares.service.ts';

/** Shared links are kept out of search engines and of the Referer header. */
const PRIVATE = {
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
};

export function mountSharesRoutes(mount: Mount, service: SharesService, originOf: OriginOf): void {
  mount(createShare, async ({ caller, body, request }) => ({
    data: await service.create(caller.userId, body.historyId, originOf(request)),
  }));

  mount(listShares, ({ caller, query, request }) =>
    service.list(caller.userId, query, originOf(request)),
  );

  mount(getSharedAnswer, async ({ params, reply }) => {
    // Set before the answer is looked up, so that a 404 has them too.
    void reply.headers(PRIVATE);
    return { data: await service.read(params.id) };
  });

  mount(deleteShare, async ({ caller, params }) => {
    await service.revoke(caller.userId, params.id);
    return { data: null };
  });
}

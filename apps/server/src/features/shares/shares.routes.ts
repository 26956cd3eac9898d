import { createShare, deleteShare, getSharedAnswer, listShares } from '@engram/contract';
import type { FastifyRequest } from 'fastify';
import type { Mount } from '../../platform/http/mount.ts';
import type { OriginOf } from '../../platform/http/origin.ts';
import type { SharesService } from './shares.service.ts';

export interface ShareRouteOptions {
  /** What links begin with. */
  originOf: OriginOf;
}

/** A link that opens something is neither handed on nor found by a search engine. */
const PRIVATE = {
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
};

export function mountSharesRoutes(
  mount: Mount,
  service: SharesService,
  { originOf }: ShareRouteOptions,
): void {
  const placeOf = (request: FastifyRequest) => ({ origin: originOf(request) });

  mount(createShare, async ({ caller, body, request }) => ({
    data: await service.create(caller.userId, body.historyId, placeOf(request)),
  }));

  mount(listShares, ({ caller, query, request }) =>
    service.list(caller.userId, query, placeOf(request)),
  );

  mount(getSharedAnswer, async ({ params, reply }) => {
    // Also for those that are not there.
    void reply.headers(PRIVATE);
    return { data: await service.read(params.id) };
  });

  mount(deleteShare, async ({ caller, params }) => {
    await service.revoke(caller.userId, params.id);
    return { data: null };
  });
}

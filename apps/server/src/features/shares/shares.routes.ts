import { createShare, deleteShare, getSharedAnswer, listShares } from '@engram/contract';
import type { FastifyRequest } from 'fastify';
import type { Mount } from '../../platform/http/mount.ts';
import { ownOrigin } from '../../platform/http/own-hosts.ts';
import type { SharesService } from './shares.service.ts';

export interface ShareRouteOptions {
  /** Address under which people reach the server, where it is set. */
  publicUrl: string | undefined;
}

/** A link that opens something is neither handed on nor found by a search engine. */
const PRIVATE = {
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
};

export function mountSharesRoutes(
  mount: Mount,
  service: SharesService,
  { publicUrl }: ShareRouteOptions,
): void {
  const placeOf = (request: FastifyRequest) => ({ origin: ownOrigin(request, publicUrl) });

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

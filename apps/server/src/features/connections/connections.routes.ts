import {
  allowConnection,
  allowDevice,
  denyConnection,
  denyDevice,
  endConnection,
  endConnections,
  getConnectionRequest,
  getDeviceRequest,
  listConnections,
  openConnectionRequest,
} from '@engram/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Mount } from '../../platform/http/mount.ts';
import type { OriginOf } from '../../platform/http/origin.ts';
import type { SecurityEvents } from '../security-events/security-events.service.ts';
import type { Connections } from './connections.module.ts';
import type { BrowserCall } from './consent.service.ts';

const browserCall = (request: FastifyRequest, reply: FastifyReply): BrowserCall => ({
  raw: request.raw,
  answer: reply.raw,
});

/** Mounts the calls for connected apps, and for the user's answers to their requests. */
export function mountConnectionsRoutes(
  mount: Mount,
  { server, service, consent }: Connections,
  events: Pick<SecurityEvents, 'by'>,
  originOf: OriginOf,
): void {
  const providerOf = (request: FastifyRequest) => server.of(originOf(request));

  mount(listConnections, async ({ caller }) => ({ data: await service.list(caller.userId) }));

  mount(endConnection, async ({ caller, ip, params }) => {
    const name = await service.end(caller.userId, params.id);
    await events.by('app_ended', caller, ip, name);
    return { data: null };
  });

  mount(endConnections, async ({ caller, ip }) => {
    const ended = await service.endAll(caller.userId);
    if (ended > 0) await events.by('app_ended', caller, ip);
    return { data: { ended } };
  });

  mount(openConnectionRequest, async ({ params, reply }) =>
    reply.redirect(`/connect/${params.uid}`, 303),
  );

  mount(getConnectionRequest, async ({ params, request, reply }) => ({
    data: await consent.request(providerOf(request), browserCall(request, reply), params.uid),
  }));

  mount(allowConnection, async ({ body, caller, ip, params, request, reply }) => {
    const call = browserCall(request, reply);
    const provider = providerOf(request);
    const allowed = await consent.allow(provider, call, params.uid, caller, body.scopes);
    await events.by('app_connected', caller, ip, allowed.name);
    return { data: { returnTo: allowed.returnTo } };
  });

  mount(denyConnection, async ({ params, request, reply }) => {
    const call = browserCall(request, reply);
    return { data: { returnTo: await consent.deny(providerOf(request), call, params.uid) } };
  });

  mount(getDeviceRequest, async ({ body, caller, request }) => ({
    data: await consent.device(providerOf(request), caller, body.userCode),
  }));

  mount(allowDevice, async ({ body, caller, ip, request }) => {
    const provider = providerOf(request);
    const name = await consent.allowDevice(provider, caller, body.userCode, body.scopes);
    await events.by('app_connected', caller, ip, name);
    return { data: null };
  });

  mount(denyDevice, async ({ body, caller, request }) => {
    await consent.denyDevice(providerOf(request), caller, body.userCode);
    return { data: null };
  });
}

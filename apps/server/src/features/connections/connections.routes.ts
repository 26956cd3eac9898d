import {
  type AccessScope,
  allowConnection,
  allowDevice,
  type ConnectionRequest,
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
import { randomUUID } from 'node:crypto';
import { errors, type Provider } from 'oidc-provider';
import type { Core } from '../../composition/core.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Caller, Mount } from '../../platform/http/mount.ts';
import { assertUserWithin } from '../../platform/http/networks.ts';
import { identify, isForTools, nameOf, scopesIn } from './client-rules.ts';
import type { Connections } from './connections.service.ts';

interface AppRequest {
  client: InstanceType<Provider['Client']>;
  redirectUri: string | undefined;
  scope: string | undefined;
  resources: string[];
}

const DENIED = 'The user denied access.';

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');

const present = ({ client, redirectUri, scope, resources }: AppRequest): ConnectionRequest => {
  const identity = identify(client.clientId, redirectUri);
  const toolsOnly = resources.length > 0 && resources.every(isForTools);
  const name = nameOf(client.clientName, identity.address);
  return { name, ...identity, scopes: scopesIn(scope), toolsOnly };
};

function requestNotFound(): HttpError {
  const message =
    'This request has expired or was started in another browser. Please start again in the app.';
  return new HttpError(404, 'request_not_found', message);
}

function userCodeNotFound(): HttpError {
  const message =
    'This code is wrong, was already used or has expired. Please check the code on your device.';
  return new HttpError(404, 'user_code_not_found', message);
}

async function appRequestOf(
  provider: Provider,
  clientId: unknown,
  params: Record<string, unknown>,
  notFound: () => HttpError,
): Promise<AppRequest> {
  const client = await provider.Client.find(String(clientId)).catch(() => undefined);
  if (!client) throw notFound();
  return {
    client,
    redirectUri: textOf(params['redirect_uri']),
    scope: textOf(params['scope']),
    resources: listOf(params['resource']),
  };
}

export function mountConnectionsRoutes(
  mount: Mount,
  { server, service, userCodes }: Connections,
  { securityEvents: events, originOf }: Pick<Core, 'securityEvents' | 'originOf'>,
): void {
  const providerOf = (request: FastifyRequest): Provider => server.providerFor(originOf(request));

  /** @throws HttpError 404 for a request from another browser */
  const readRequest = async (request: FastifyRequest, reply: FastifyReply, uid: string) => {
    const provider = providerOf(request);
    const interaction = await provider
      .interactionDetails(request.raw, reply.raw)
      .catch((error: unknown) => {
        if (error instanceof errors.SessionNotFound) throw requestNotFound();
        throw error;
      });
    if (interaction.uid !== uid) throw requestNotFound();
    const { params } = interaction;
    return appRequestOf(provider, params['client_id'], params, requestNotFound);
  };

  /** @throws HttpError 404 for an unknown, used or expired code */
  const readDevice = async (request: FastifyRequest, { userId }: Caller, userCode: string) => {
    const tooMany = 'Too many codes were entered. Please wait a moment.';
    await assertUserWithin(userCodes, userId, tooMany);
    const provider = providerOf(request);
    // Users type codes in any case and with separators.
    const letters = userCode.toUpperCase().replace(/[^A-Z]/gu, '');
    const code = await provider.DeviceCode.findByUserCode(letters);
    if (!code || code.error !== undefined || code.accountId !== undefined) throw userCodeNotFound();
    const { redirect_uri: _, ...params } = code.params ?? {};
    return { code, app: await appRequestOf(provider, code.clientId, params, userCodeNotFound) };
  };

  /** Connects an app with the granted scopes of its request; default: all of them. */
  const connect = async (
    provider: Provider,
    { userId }: Caller,
    app: AppRequest,
    granted: readonly AccessScope[] | undefined,
  ) => {
    const scopes = scopesIn(app.scope).filter((scope) => granted?.includes(scope) ?? true);
    if (scopes.length === 0) {
      const message = 'The app did not request any of the granted permissions.';
      throw new HttpError(400, 'nothing_granted', message);
    }
    const { client, resources } = app;
    const { clientId } = client;
    const { name, address, verified, kind } = present(app);
    const id = randomUUID();
    await service.insert({ id, userId, clientId, name, address, verified, kind, scopes });
    const grant = new provider.Grant({ accountId: userId, clientId });
    grant.jti = id;
    for (const resource of resources) grant.addResourceScope(resource, scopes);
    return { grantId: await grant.save(), name, scopes };
  };

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
    data: present(await readRequest(request, reply, params.uid)),
  }));

  mount(allowConnection, async ({ body, caller, ip, params, request, reply }) => {
    const app = await readRequest(request, reply, params.uid);
    const provider = providerOf(request);
    const { grantId, name } = await connect(provider, caller, app, body.scopes);
    const login = { accountId: caller.userId, remember: false };
    const result = { login, consent: { grantId } };
    const returnTo = await provider.interactionResult(request.raw, reply.raw, result);
    await events.by('app_connected', caller, ip, name);
    return { data: { returnTo } };
  });

  mount(denyConnection, async ({ params, request, reply }) => {
    await readRequest(request, reply, params.uid);
    const result = { error: 'access_denied', error_description: DENIED };
    const provider = providerOf(request);
    const returnTo = await provider.interactionResult(request.raw, reply.raw, result);
    return { data: { returnTo } };
  });

  mount(getDeviceRequest, async ({ body, caller, request }) => ({
    data: present((await readDevice(request, caller, body.userCode)).app),
  }));

  mount(allowDevice, async ({ body, caller, ip, request }) => {
    const { code, app } = await readDevice(request, caller, body.userCode);
    const provider = providerOf(request);
    const { grantId, name, scopes } = await connect(provider, caller, app, body.scopes);
    const [resource] = app.resources;
    const accountId = caller.userId;
    Object.assign(code, { accountId, grantId, scope: scopes.join(' '), resource });
    await code.save();
    await events.by('app_connected', caller, ip, name);
    return { data: null };
  });

  mount(denyDevice, async ({ body, caller, request }) => {
    const { code } = await readDevice(request, caller, body.userCode);
    await Object.assign(code, { error: 'access_denied', errorDescription: DENIED }).save();
    return { data: null };
  });
}

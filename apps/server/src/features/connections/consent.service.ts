import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccessScope, ConnectionRequest } from '@engram/contract';
import { randomUUID } from 'node:crypto';
import { errors, type Provider } from 'oidc-provider';
import type { Core } from '../../composition/core.ts';
import { HttpError, tooManyRequests } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/mount.ts';
import { isForTools, nameOf, placeOf, scopesIn } from './client-rules.ts';
import type { ConnectionsService } from './connections.service.ts';

/** Device codes that one user may try: ten at once, and one in six seconds in the long run. */
const USER_CODE_RATE = { perSecond: 1 / 6, burst: 10 };

/** The request and response of a call, whose cookies identify the browser. */
export interface BrowserCall {
  raw: IncomingMessage;
  answer: ServerResponse;
}

type Client = InstanceType<Provider['Client']>;

/** The request of an app. */
interface Asked {
  client: Client;
  redirectUri: string | undefined;
  scope: string | undefined;
  resources: string[];
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');

const present = ({ client, redirectUri, scope, resources }: Asked): ConnectionRequest => {
  const place = placeOf(client.clientId, redirectUri);
  const toolsOnly = resources.length > 0 && resources.every(isForTools);
  const name = nameOf(client.clientName, place.address);
  return { name, ...place, scopes: scopesIn(scope), toolsOnly };
};

/** The scopes that the user grants: those chosen of the ones asked for, or all. */
function grantedOf(asked: Asked, chosen: readonly AccessScope[] | undefined): AccessScope[] {
  const scopes = scopesIn(asked.scope).filter((scope) => chosen?.includes(scope) ?? true);
  if (scopes.length > 0) return scopes;
  const message = 'The program asked for none of the chosen permissions.';
  throw new HttpError(400, 'nothing_granted', message);
}

/** A code as users type it, in any case and with separators, in its stored form. */
const plainCode = (userCode: string): string => userCode.toUpperCase().replace(/[^A-Z]/gu, '');

const requestNotFound = (): HttpError =>
  new HttpError(
    404,
    'request_not_found',
    'This request is over, or it was begun in another browser. Please begin again in the program.',
  );

const userCodeNotFound = (): HttpError =>
  new HttpError(
    404,
    'user_code_not_found',
    'There is no such code, or it was used, or its ten minutes are over. Please look at your device again.',
  );

/** The user's consent to requests of apps and devices. */
export function createConsentService(
  { limits, now }: Core,
  connections: Pick<ConnectionsService, 'insert'>,
) {
  const userCodes = limits.limitOf('device codes', USER_CODE_RATE);

  const ask = async (
    provider: Provider,
    clientId: unknown,
    params: Record<string, unknown>,
    notFound: () => HttpError,
  ): Promise<Asked> => {
    const client = await provider.Client.find(String(clientId)).catch(() => undefined);
    if (!client) throw notFound();
    return {
      client,
      redirectUri: textOf(params['redirect_uri']),
      scope: textOf(params['scope']),
      resources: listOf(params['resource']),
    };
  };

  /** @throws HttpError 404 for a request of another browser. */
  const readRequest = async (provider: Provider, { raw, answer }: BrowserCall, uid: string) => {
    const interaction = await provider.interactionDetails(raw, answer).catch((error: unknown) => {
      if (error instanceof errors.SessionNotFound) throw requestNotFound();
      throw error;
    });
    if (interaction.uid !== uid) throw requestNotFound();
    const { params } = interaction;
    return ask(provider, params['client_id'], params, requestNotFound);
  };

  /** @throws HttpError 404 for a code that is invalid, decided or expired. */
  const readDevice = async (provider: Provider, { userId }: Caller, userCode: string) => {
    const wait = await userCodes(userId);
    if (wait > 0) throw tooManyRequests('Too many codes were tried. Please wait a moment.', wait);
    const code = await provider.DeviceCode.findByUserCode(plainCode(userCode));
    if (!code || code.error !== undefined || code.accountId !== undefined) throw userCodeNotFound();
    const { redirect_uri: _, ...params } = code.params ?? {};
    return { code, asked: await ask(provider, code.clientId, params, userCodeNotFound) };
  };

  /** Stores the connection, and the library's grant. */
  const connect = async (
    provider: Provider,
    { userId }: Caller,
    asked: Asked,
    scopes: AccessScope[],
  ): Promise<{ grantId: string; name: string }> => {
    const { client, resources } = asked;
    const { name, address, verified, kind } = present(asked);
    const id = randomUUID();
    const shown = { name, address, verified, kind, scopes };
    const times = { createdAt: now(), lastUsedAt: null };
    await connections.insert({ id, userId, clientId: client.clientId, ...shown, ...times });
    const grant = new provider.Grant({ accountId: userId, clientId: client.clientId });
    grant.jti = id;
    for (const resource of resources) grant.addResourceScope(resource, scopes);
    return { grantId: await grant.save(), name };
  };

  return {
    /** Who asks for what. */
    request: async (provider: Provider, call: BrowserCall, uid: string) =>
      present(await readRequest(provider, call, uid)),

    /**
     * Connects the app. Returns its name, and the address to which the browser returns.
     * @param chosen the granted scopes; default: all of the request
     * @throws HttpError 400 if none of them was requested
     */
    async allow(
      provider: Provider,
      call: BrowserCall,
      uid: string,
      caller: Caller,
      chosen?: readonly AccessScope[],
    ) {
      const asked = await readRequest(provider, call, uid);
      const scopes = grantedOf(asked, chosen);
      const { grantId, name } = await connect(provider, caller, asked, scopes);
      const login = { accountId: caller.userId, remember: false };
      const consent = { login, consent: { grantId } };
      return { name, returnTo: await provider.interactionResult(call.raw, call.answer, consent) };
    },

    /** Denies the request. Returns the address to which the browser returns. */
    async deny(provider: Provider, call: BrowserCall, uid: string) {
      await readRequest(provider, call, uid);
      const no = { error: 'access_denied', error_description: 'The person said no.' };
      return provider.interactionResult(call.raw, call.answer, no);
    },

    /** The request of the device that shows a code. */
    device: async (provider: Provider, caller: Caller, userCode: string) =>
      present((await readDevice(provider, caller, userCode)).asked),

    /** Connects the device that shows a code, see `allow`. Returns its name. */
    async allowDevice(
      provider: Provider,
      caller: Caller,
      userCode: string,
      chosen?: readonly AccessScope[],
    ): Promise<string> {
      const { code, asked } = await readDevice(provider, caller, userCode);
      const scopes = grantedOf(asked, chosen);
      const { grantId, name } = await connect(provider, caller, asked, scopes);
      const [resource] = asked.resources;
      const { userId: accountId } = caller;
      Object.assign(code, { accountId, grantId, scope: scopes.join(' '), resource });
      await code.save();
      return name;
    },

    async denyDevice(provider: Provider, caller: Caller, userCode: string): Promise<void> {
      const { code } = await readDevice(provider, caller, userCode);
      const no = { error: 'access_denied', errorDescription: 'The person said no.' };
      await Object.assign(code, no).save();
    },
  };
}

export type ConsentService = ReturnType<typeof createConsentService>;

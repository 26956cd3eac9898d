import { hostname, release, type as systemName } from 'node:os';
import {
  ApiError,
  type Client,
  createClient,
  type OAuthContext,
  renewTokens,
} from '@engram/client';
import { API_KEY_HEADER, type Device, type DeviceReport, reportDevice } from '@engram/contract';
import type { Secret, Secrets } from './secrets.ts';
import { ConnectionEndedError, RetryLaterError, toSyncError } from '../sync-problem.ts';

/** A token is renewed this long before it expires. */
const RENEWAL_MARGIN_MS = 300_000;
/** If it cannot be renewed, it is used until this long before it expires. */
const MIN_REMAINING_MS = 5000;

export const deviceName = (): string => hostname().slice(0, 200) || 'This computer';

const SYSTEMS: Record<string, string> = { Darwin: 'macOS', Windows_NT: 'Windows' };
const platformName = (): string =>
  `${SYSTEMS[systemName()] ?? systemName()} ${release()}`.slice(0, 200);

/** Authorizes all calls with an API key, or with a token that is renewed by one call at a time. */
export class Session {
  readonly client: Client;
  readonly #context: OAuthContext;
  readonly #secrets: Secrets;
  #renewing: Promise<void> | null = null;
  #secret: Secret;
  /** Whether the current credentials are stored. */
  #isStored = true;

  constructor(server: string, secrets: Secrets, secret: Secret, context: OAuthContext) {
    this.#context = context;
    this.#secrets = secrets;
    this.#secret = secret;
    this.client = createClient({
      baseUrl: `${server}/v1`,
      fetch: (input, init) => this.#send(input, init),
    });
  }

  /** The current credentials. */
  get secret(): Secret {
    return this.#secret;
  }

  /** A renewed token is stored before it is used, because the old one is no longer valid. */
  #renew(): Promise<void> {
    const secret = this.#secret;
    if (secret.kind === 'key')
      return Promise.reject(new ConnectionEndedError('The API key is no longer valid.'));
    this.#renewing ??= renewTokens(this.#context, secret)
      .then((renewed) => {
        // If it cannot be stored, it is still the only valid one.
        this.#secret = renewed;
        this.#isStored = false;
        this.#store();
      })
      .finally(() => (this.#renewing = null));
    return this.#renewing;
  }

  #store(): void {
    if (this.#isStored) return;
    this.#secrets.write(this.#secret);
    this.#isStored = true;
  }

  async #authorization(): Promise<Record<string, string>> {
    this.#store();
    if (this.#secret.kind === 'tokens') {
      const remaining = this.#secret.expiresAt - this.#context.clock.now();
      try {
        if (remaining < RENEWAL_MARGIN_MS) await this.#renew();
      } catch (error) {
        // The server may be available again before the token expires.
        if (!(error instanceof RetryLaterError) || remaining < MIN_REMAINING_MS) throw error;
      }
    }
    return this.#secret.kind === 'key'
      ? { [API_KEY_HEADER]: this.#secret.key }
      : { authorization: `Bearer ${this.#secret.access}` };
  }

  async #send(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const headers = await this.#authorization();
    const sentSecret = this.#secret;
    const ownHeaders = init.headers as Record<string, string>;
    const response = await this.#context.fetch(input, {
      ...init,
      headers: { ...ownHeaders, ...headers },
    });
    if (response.status !== 401 || sentSecret.kind === 'key') return response;
    await response.body?.cancel();
    // Another call may have renewed it already.
    if (this.#secret === sentSecret) await this.#renew();
    // A streamed body cannot be sent again. The next attempt has the new token.
    if (typeof init.body === 'object' && init.body !== null)
      throw new RetryLaterError('The token was renewed.', 0);
    const authorization = await this.#authorization();
    return this.#context.fetch(input, { ...init, headers: { ...ownHeaders, ...authorization } });
  }

  /**
   * Registers this device, or reports its state if it has an id. Returns it with the user's requests.
   * @throws ConnectionEndedError if the user ended the device
   */
  async report(version: string, id: string | null, report?: DeviceReport): Promise<Device> {
    const body = {
      ...(id === null ? {} : { id }),
      name: deviceName(),
      platform: platformName(),
      version,
      ...(report ? { report } : {}),
    };
    try {
      return (await this.client.call(reportDevice, { body })).data;
    } catch (error) {
      if (id !== null && error instanceof ApiError && error.status === 404) {
        throw new ConnectionEndedError('This device was ended in Engram. Please pair again.');
      }
      throw toSyncError(error);
    }
  }
}

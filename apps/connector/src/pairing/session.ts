import { type Client, createClient } from '@engram/client';
import { API_KEY_HEADER } from '@engram/contract';
import { type OAuthContext, renewTokens } from './oauth.ts';
import type { Secret, Secrets } from './secrets.ts';
import { Ended, Later } from '../troubles.ts';

/** Milliseconds before its end from which on a token is renewed. */
const MARGIN_MS = 300_000;
/** A little before its end a token still counts, where no new one is to be had. */
const LAST_MS = 5000;

/** Authorizes all calls with an API key, or with a token that is renewed by one call at a time. */
export class Session {
  readonly client: Client;
  readonly #context: OAuthContext;
  readonly #secrets: Secrets;
  #renewing: Promise<void> | null = null;
  #secret: Secret;
  /** Whether it would survive the end of the program. */
  #isKept = true;

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
    if (secret.kind === 'key') return Promise.reject(new Ended('The key does not work any more.'));
    this.#renewing ??= renewTokens(this.#context, secret)
      .then((renewed) => {
        // If it cannot be stored, it is still the only valid one.
        this.#secret = renewed;
        this.#isKept = false;
        this.#keep();
      })
      .finally(() => (this.#renewing = null));
    return this.#renewing;
  }

  #keep(): void {
    if (this.#isKept) return;
    this.#secrets.write(this.#secret);
    this.#isKept = true;
  }

  async #authorization(): Promise<Record<string, string>> {
    this.#keep();
    if (this.#secret.kind === 'tokens') {
      const left = this.#secret.expiresAt - this.#context.clock.now();
      try {
        if (left < MARGIN_MS) await this.#renew();
      } catch (error) {
        // The server may be back before the token ends.
        if (!(error instanceof Later) || left < LAST_MS) throw error;
      }
    }
    return this.#secret.kind === 'key'
      ? { [API_KEY_HEADER]: this.#secret.key }
      : { authorization: `Bearer ${this.#secret.access}` };
  }

  async #send(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const headers = await this.#authorization();
    const used = this.#secret;
    const withThem = {
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...headers },
    };
    const response = await this.#context.fetch(input, withThem);
    if (response.status !== 401 || used.kind === 'key') return response;
    await response.body?.cancel();
    // Another call may have renewed it meanwhile.
    if (this.#secret === used) await this.#renew();
    // What was streamed is not there a second time: the next try has the new token.
    if (typeof init.body === 'object' && init.body !== null)
      throw new Later('The token was renewed.', 0);
    const again = { ...withThem.headers, ...(await this.#authorization()) };
    return this.#context.fetch(input, { ...init, headers: again });
  }
}

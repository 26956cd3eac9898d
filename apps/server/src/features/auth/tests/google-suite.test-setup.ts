import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import {
  type IdentityProviderServer,
  startIdentityProvider,
} from '../../../tests/identity-provider.test-setup.ts';
import {
  type AccountsContext,
  type Answer,
  type CallOptions,
  describeAccounts,
} from './accounts.test-setup.ts';

export const ADA = 'ada@example.org';
export const account = { sub: 'g-1', email: ADA, email_verified: true, name: 'Ada Lovelace' };

/** The account features with a real provider, which has Ada's account. */
export interface GoogleContext {
  readonly provider: IdentityProviderServer;
  /** Restarts with other settings. */
  start: (env?: Record<string, string>) => Promise<void>;
  /** Signs in with the proof in the body. */
  post: (body: object, options?: CallOptions) => Promise<Answer>;
  get: (path: string, token?: string) => Promise<Answer>;
  /** The profile of the signed-in user. */
  profileOf: (signedIn: Answer) => Promise<unknown>;
  expectNoAccounts: () => Promise<void>;
}

/** Runs a suite with each database driver. Each test has a new server without accounts. */
export function describeGoogle(
  title: string,
  suite: (google: GoogleContext, accounts: AccountsContext) => void,
): void {
  let provider: IdentityProviderServer;

  const describeWithProvider = (accounts: AccountsContext): void => {
    beforeAll(async () => {
      provider = await startIdentityProvider();
    });
    afterAll(() => provider.close());
    beforeEach(() => {
      Object.assign(provider, { account, decision: 'allow', picture: null, hangsAt: null });
      provider.configure();
      setClock();
    });

    // The provider uses the real time.
    const setClock = (): void => accounts.server.set(new Date().toISOString());
    const start = async (env: Record<string, string> = {}) => {
      await accounts.restart({ ...provider.env, ...env });
      setClock();
    };
    const get = (path: string, token?: string) =>
      accounts.server.call('GET', path, token ? { token } : {});

    suite(
      {
        get provider() {
          return provider;
        },
        start,
        get,
        post: (body, options = {}) =>
          accounts.server.call('POST', '/auth/social', { ...options, body }),
        profileOf: async ({ data }) =>
          (await get('/user/profile', (data as { token: string }).token)).data,
        async expectNoAccounts() {
          expect(await accounts.rows('users')).toEqual([]);
          expect(await accounts.rows('sessions')).toEqual([]);
        },
      },
      accounts,
    );
  };

  describeAccounts(title, describeWithProvider, () => provider.env);
}

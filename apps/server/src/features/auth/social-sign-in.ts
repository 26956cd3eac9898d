import type { FastifyBaseLogger } from 'fastify';
import type { Background } from '../../platform/background.ts';
import { type FetchBounds, UnreachableError } from '../../platform/http/bounded-fetch.ts';
import type { Network } from '../../platform/http/networks.ts';
import * as errors from './auth.errors.ts';
import type { UserRow } from './auth.tables.ts';
import type { FailedSignIns } from './failed-sign-ins.ts';
import {
  type AuthorizationRequest,
  createIdentityProvider,
  type Identity,
  type Proof,
  RefusedProof,
} from './identity-provider.ts';
import { createProviderPhotos, PHOTO_BOUNDS } from './provider-photo.ts';
import type { UsersRepository } from './users.repository.ts';

/** How long a call to the provider may take, in milliseconds, and most bytes of its answer. */
const CALL_BOUNDS = { timeoutMs: 8000, mostBytes: 262_144 };

export interface SocialSignInDependencies {
  settings: {
    googleClientId: string | undefined;
    googleClientSecret: string | undefined;
    googleIssuer: string;
  };
  failures: FailedSignIns;
  users: Pick<UsersRepository, 'setFirstPhoto'>;
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>;
  background: Background;
  now: () => Date;
  outside: Pick<FetchBounds, 'fetch' | 'clock'>;
  /** A picture as a small square JPEG; null where it is none that can be drawn. */
  drawPhoto: (userId: string, picture: Uint8Array) => Promise<Buffer | null>;
}

/** Signing in by the word of Google, or of another OpenID provider. */
export function createSocialSignIn(deps: SocialSignInDependencies) {
  const { settings, failures, users, log, background, now, outside } = deps;
  const {
    googleClientId: clientId,
    googleClientSecret: clientSecret,
    googleIssuer: issuer,
  } = settings;
  const provider =
    clientId && clientSecret
      ? createIdentityProvider({
          issuer,
          clientId,
          clientSecret,
          bounds: { ...outside, ...CALL_BOUNDS },
          now,
        })
      : null;
  const fetchPhoto = createProviderPhotos({ issuer, bounds: { ...outside, ...PHOTO_BOUNDS } });

  /** What the caller is told of a failure; anything unforeseen stays what it is. */
  function explain(error: unknown): unknown {
    if (error instanceof RefusedProof) {
      return error.reason === 'unverified' ? errors.emailUnverified() : errors.googleRefused();
    }
    if (!(error instanceof UnreachableError)) return error;
    log.warn({ err: error }, 'Google sign-in: the provider cannot be used');
    return errors.googleUnavailable();
  }
  const explained = (error: unknown): never => {
    throw explain(error);
  };

  async function keepPhoto({ id }: UserRow, address: string): Promise<void> {
    try {
      const photo = await deps.drawPhoto(id, await fetchPhoto(address));
      if (photo) await users.setFirstPhoto(id, photo);
    } catch (error) {
      log.info({ err: error }, 'the picture that the provider names could not be kept');
    }
  }

  return {
    /** Whether people can sign in so, and why not where they cannot. */
    describe(): { on: boolean; detail: string } {
      if (provider) return { on: true, detail: `People can sign in by ${issuer}.` };
      const missing = [
        ...(clientId ? [] : ['GOOGLE_CLIENT_ID']),
        ...(clientSecret ? [] : ['GOOGLE_CLIENT_SECRET']),
      ];
      const are = missing.length > 1 ? 'are' : 'is';
      return { on: false, detail: `${missing.join(' and ')} ${are} not set.` };
    },

    /** @throws HttpError 503 when it is not set up. */
    assertOn(): void {
      if (!provider) throw errors.googleOff();
    },

    /** @throws HttpError 503 when it is not set up, or the provider cannot be reached. */
    async authorizationUrl(request: AuthorizationRequest): Promise<string> {
      if (!provider) throw errors.googleOff();
      return provider.authorizationUrl(request).catch(explained);
    },

    /**
     * Who somebody is, by what they show of their sign-in at the provider.
     * @throws HttpError 401 when it does not count, 429 after too many that did not, 503 when it
     * cannot be judged.
     */
    async identify(proof: Proof, networks: readonly Network[], at: Date): Promise<Identity> {
      if (!provider) throw errors.googleOff();
      const takeBack = await failures.presume(networks, at);
      try {
        const identity = await provider.identify(proof);
        await takeBack();
        return identity;
      } catch (error) {
        // What the provider cannot answer is not the caller's failure.
        if (!(error instanceof RefusedProof)) await takeBack();
        return explained(error);
      }
    },

    /** Keeps the person's picture while they have none; nobody waits for it, and it may fail. */
    keepPhotoInBackground(user: UserRow, { picture }: Identity): void {
      if (!picture || user.profileImage) return;
      void background.run(keepPhoto(user, picture), 'a picture could not be kept');
    },
  };
}

import type { OpenSession } from '@engram/contract';
import type { FastifyRequest } from 'fastify';
import type { Database } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/http/mount.ts';
import type { SecurityEvents } from '../security-events/security-events.service.ts';
import * as errors from './auth.errors.ts';
import type { AuthRepository } from './auth.repository.ts';
import type { Secrets } from './secrets.ts';
import { presentSession } from './sessions.ts';
import type { SessionsRepository } from './sessions.repository.ts';

export interface SessionsDependencies {
  database: Pick<Database, 'transaction'>;
  repository: SessionsRepository;
  browsers: Pick<AuthRepository, 'forgetBrowsers'>;
  secrets: Pick<Secrets, 'readToken'>;
  events: Pick<SecurityEvents, 'by'>;
  now: () => Date;
}

/** Who a session belongs to, and how its person sees and ends theirs. */
export function createSessionsService(deps: SessionsDependencies) {
  const { database, repository, browsers, secrets, events, now } = deps;

  return {
    /**
     * Who a call's bearer token belongs to.
     * @throws HttpError 401 when there is none, or its session has ended.
     */
    async authenticate({ headers }: Pick<FastifyRequest, 'headers'>): Promise<Caller> {
      const token = /^Bearer +(\S+)$/iu.exec(headers.authorization ?? '')?.[1];
      const at = now();
      const claims = token ? await secrets.readToken(token, at) : null;
      const person = claims && (await repository.findCaller(claims, at));
      if (!person) throw errors.notSignedIn();
      return { ...claims, ...person, apiKeyId: null, connectionId: null, readOnly: false };
    },

    /** Ends the session of a call: its token and its cookie stop working at once. */
    async logout(caller: Caller, ip: string): Promise<void> {
      const { userId, sessionId } = caller;
      if (sessionId && (await repository.delete(userId, sessionId)))
        await events.by('session_ended', caller, ip);
    },

    /** Where a person is signed in, the last used first. */
    async list({ userId, sessionId }: Caller): Promise<OpenSession[]> {
      const rows = await repository.list(userId, now());
      return rows.map((row) => presentSession(row, sessionId));
    },

    /**
     * Ends one session of the caller's. Unless it is the one of this call, its browser is no longer
     * known.
     * @throws HttpError 404 when the person has no such session.
     */
    async end(caller: Caller, ip: string, sessionId: string): Promise<void> {
      const { userId } = caller;
      await database.transaction(async (tx) => {
        const ended = await repository.delete(userId, sessionId, tx);
        if (!ended) throw errors.sessionNotFound();
        if (ended.browser && sessionId !== caller.sessionId) {
          await browsers.forgetBrowsers(tx, userId, { some: [ended.browser] });
        }
      });
      await events.by('session_ended', caller, ip);
    },

    /**
     * Ends all of the caller's sessions except that of this call, and that too where `current`.
     * Answers how many. Only the browser of this call stays known, so that strangers cannot lock the
     * user out of it.
     */
    async endAll(caller: Caller, ip: string, current: boolean): Promise<number> {
      const { userId, sessionId } = caller;
      const open = await repository.list(userId, now());
      const browser = open.find(({ id }) => id === sessionId)?.browser;
      const ended = await database.transaction(async (tx) => {
        const keptId = current ? undefined : (sessionId ?? undefined);
        const count = await repository.deleteAll(tx, userId, keptId);
        await browsers.forgetBrowsers(tx, userId, { except: browser ?? '' });
        return count;
      });
      if (ended > 0) await events.by('session_ended', caller, ip);
      return ended;
    },
  };
}

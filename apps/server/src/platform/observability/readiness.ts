import type { FastifyBaseLogger } from 'fastify';
import { HttpError } from '../http/errors.ts';
import { createCached, type Cached } from './cached-value.ts';

export interface Part<Name extends string = string> {
  name: Name;
  check: () => Promise<unknown>;
  problem: string;
  /** Whether the server is useless without it. */
  needed: boolean;
}

export interface PartState<Name extends string = string> {
  name: Name;
  ok: boolean;
  problem: string | null;
}

export interface Readiness<Name extends string = string> {
  status: 'ready' | 'degraded';
  parts: PartState<Name>[];
}

/** Maximum time of a check, in milliseconds: less than the usual timeout of a probe. */
const TIMEOUT_MS = 2000;

const CACHE_MS = 1000;

const STOPPING = 'The server is stopping.';

const notReady = (problems: readonly string[]): HttpError =>
  new HttpError(503, 'not_ready', problems.join(' '));

export function createReadiness<Name extends string>(options: {
  parts: readonly Part<Name>[];
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  now: () => Date;
}) {
  const { log, now } = options;
  const failing = new Set<Name>();
  let draining = false;

  /** Logs when a dependency fails, and when it answers again. */
  const logChange = (part: Name, problem: string, err: unknown): void => {
    if (err === null) {
      if (failing.delete(part)) log.info({ part }, 'It answers again.');
    } else if (!failing.has(part)) {
      failing.add(part);
      log.warn({ part, err }, problem);
    }
  };

  const stateOf = async (
    { name, problem, needed }: Part<Name>,
    cached: Cached<unknown>,
  ): Promise<PartState<Name> & { needed: boolean }> => {
    const err: unknown = await cached.within(TIMEOUT_MS).then(
      () => null,
      (error: unknown) => error,
    );
    logChange(name, problem, err);
    return { name, ok: err === null, problem: err === null ? null : problem, needed };
  };

  const parts = options.parts.map((part) => ({
    part,
    cached: createCached(part.check, CACHE_MS, now),
  }));

  const statesNow = () => Promise.all(parts.map(({ part, cached }) => stateOf(part, cached)));

  return {
    states: (): Promise<PartState<Name>[]> => statesNow(),

    /** @throws HttpError 503 with a sentence for each reason why calls should not be sent here */
    async check(): Promise<Readiness<Name>> {
      if (draining) throw notReady([STOPPING]);
      const found = await statesNow();
      const lacking = found.flatMap(({ problem, needed }) =>
        needed && problem !== null ? [problem] : [],
      );
      if (draining) lacking.unshift(STOPPING);
      if (lacking.length > 0) throw notReady(lacking);
      return {
        status: found.every(({ ok }) => ok) ? 'ready' : 'degraded',
        parts: found.map(({ name, ok, problem }) => ({ name, ok, problem })),
      };
    },

    /** Reports that the server is stopping. */
    drain(): void {
      draining = true;
    },
  };
}

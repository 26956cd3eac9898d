import type { FastifyBaseLogger } from 'fastify';
import { HttpError } from '../http/errors.ts';
import { createCached } from './cached-value.ts';

export interface Part<Name extends string = string> {
  name: Name;
  check: () => Promise<unknown>;
  problem: string;
  /** Whether the server cannot work without it. */
  needed: boolean;
}

interface PartState<Name extends string = string> {
  name: Name;
  ok: boolean;
  problem: string | null;
}

export interface Readiness<Name extends string = string> {
  status: 'ready' | 'degraded';
  parts: PartState<Name>[];
}

/** The time limit of a check, in milliseconds. Shorter than the usual timeout of a probe. */
const TIMEOUT_MS = 2000;

const CACHE_MS = 1000;

const STOPPING = 'The server is stopping.';

/** Checks the dependencies, and logs when one fails and when it recovers. */
export function createReadiness<Name extends string>({
  parts,
  log,
  now,
}: {
  parts: readonly Part<Name>[];
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  now: () => Date;
}) {
  const failing = new Set<Name>();
  let draining = false;

  const checks = parts.map(({ name, check, problem, needed }) => {
    const cached = createCached(check, CACHE_MS, TIMEOUT_MS, now);
    return async () => {
      try {
        await cached();
        if (failing.delete(name)) log.info({ part: name }, 'the dependency works again');
        return { name, ok: true, problem: null, needed };
      } catch (err) {
        if (!failing.has(name)) log.warn({ part: name, err }, problem);
        failing.add(name);
        return { name, ok: false, problem, needed };
      }
    };
  });

  const states = () => Promise.all(checks.map((check) => check()));

  return {
    states: (): Promise<PartState<Name>[]> => states(),

    /** @throws HttpError 503 with each reason why calls should not be sent here */
    async check(): Promise<Readiness<Name>> {
      const parts = draining ? [] : await states();
      const reasons = parts.flatMap(({ problem, needed }) => (needed && problem ? [problem] : []));
      if (draining) reasons.unshift(STOPPING);
      if (reasons.length > 0) throw new HttpError(503, 'not_ready', reasons.join(' '));
      return {
        status: parts.every(({ ok }) => ok) ? 'ready' : 'degraded',
        parts: parts.map(({ name, ok, problem }) => ({ name, ok, problem })),
      };
    },

    /** Reports that the server is stopping. */
    drain(): void {
      draining = true;
    },
  };
}

import type { FastifyBaseLogger } from 'fastify';
import { HttpError } from '../http/errors.ts';
import { createKept, type Kept } from './kept.ts';

/** Something that the server stands on. */
export interface Part<Name extends string = string> {
  name: Name;
  /** Rejects where the part cannot be used. */
  check: () => Promise<unknown>;
  /** What people are told where it cannot. */
  problem: string;
  /** Whether the server is of no use without it. */
  needed: boolean;
}

export interface ReadinessOptions<Name extends string> {
  parts: readonly Part<Name>[];
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  now: () => Date;
}

/** How one part is. */
export interface PartState<Name extends string = string> {
  name: Name;
  ok: boolean;
  /** A sentence; null where it answers. */
  problem: string | null;
}

export interface Readiness<Name extends string = string> {
  status: 'ready' | 'degraded';
  parts: PartState<Name>[];
}

/** How long a part may take, in milliseconds: less than what whoever asks commonly waits for. */
const PATIENCE_MS = 2000;

/** How long an answer is kept, in milliseconds: asking often costs nothing. */
const KEPT_MS = 1000;

const STOPPING = 'The server is stopping.';

const notReady = (problems: readonly string[]): HttpError =>
  new HttpError(503, 'not_ready', problems.join(' '));

/** Whether calls should be sent to this server. */
export function createReadiness<Name extends string>(options: ReadinessOptions<Name>) {
  const { log, now } = options;
  const failing = new Set<Name>();
  let draining = false;

  /** Says it in the log when a part fails, and when it answers again. */
  const note = (part: Name, problem: string, err: unknown): void => {
    if (err === null) {
      if (failing.delete(part)) log.info({ part }, 'It answers again.');
    } else if (!failing.has(part)) {
      failing.add(part);
      log.warn({ part, err }, problem);
    }
  };

  const stateOf = async (
    { name, problem, needed }: Part<Name>,
    kept: Kept<unknown>,
  ): Promise<PartState<Name> & { needed: boolean }> => {
    const err: unknown = await kept.within(PATIENCE_MS).then(
      () => null,
      (error: unknown) => error,
    );
    note(name, problem, err);
    return { name, ok: err === null, problem: err === null ? null : problem, needed };
  };

  const parts = options.parts.map((part) => ({
    part,
    kept: createKept({ read: part.check, keptMs: KEPT_MS, now }),
  }));

  const statesNow = () => Promise.all(parts.map(({ part, kept }) => stateOf(part, kept)));

  return {
    /** How each part is, as it was within the last second. */
    states: (): Promise<PartState<Name>[]> => statesNow(),

    /**
     * Answers where calls should be sent here.
     * @throws HttpError 503 with a sentence for each reason why they should not
     */
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

    /** From now on the server is not ready, as it stops. */
    drain(): void {
      draining = true;
    },
  };
}

import { createRegular, type RegularTask } from '../platform/jobs/regular.ts';
import type { Core } from './core.ts';

/** The first runs come some minutes after the first start, for those who run Engram for short spans. */
const FIRST_AFTER_MS = 5 * 60_000;
const HOUR_MS = 3_600_000;

export interface RegularWork {
  /** What forgets rows that have had their time. */
  forgetful: readonly { cleanUp: () => Promise<void> }[];
  /** Deletes what newer files have taken the place of. */
  settle: () => Promise<void>;
  sweep: (signal: AbortSignal) => Promise<unknown>;
  retain: (signal: AbortSignal) => Promise<void>;
  maintain: () => Promise<void>;
  /** Looks whose vectors are missing. */
  embed: () => void;
  payments: RegularTask;
  /** Writes the backup of a night where it is missing; undefined where none are wanted. */
  backUp: ((signal: AbortSignal) => Promise<void>) | undefined;
}

/** What is done regularly, by one server at a time. */
export function createRegularWork({ config, storage, log }: Core, work: RegularWork) {
  const { settle, sweep, retain, maintain, embed, payments, backUp } = work;
  const besideOthers = config.databaseUrl !== undefined;
  const common = { jobs: storage.jobs, log, firstAfterMs: FIRST_AFTER_MS, besideOthers };
  const forget = async (): Promise<void> => {
    for (const { cleanUp } of work.forgetful) await cleanUp();
  };
  const upkeep = createRegular({
    ...common,
    queue: 'upkeep',
    tasks: [
      { name: 'forget', everyMs: HOUR_MS, run: forget },
      { name: 'settle', everyMs: HOUR_MS, atStart: true, run: settle },
      { name: 'sweep', everyMs: HOUR_MS, atStart: true, run: sweep },
      { name: 'retain', everyMs: HOUR_MS, atStart: true, run: retain },
      { name: 'embed', everyMs: HOUR_MS, run: async () => embed() },
      { name: 'maintain', everyMs: HOUR_MS, run: maintain },
    ],
  });
  // A sweep of many files must not hold up what people pay for.
  const provider = createRegular({ ...common, queue: 'provider', tasks: [payments] });
  // The first backup may take hours, and the upkeep goes on meanwhile.
  const backup = createRegular({
    ...common,
    queue: 'backup',
    tasks: backUp ? [{ name: 'backup', everyMs: HOUR_MS, run: backUp }] : [],
  });
  const all = [upkeep, provider, backup];

  return {
    async define(): Promise<void> {
      for (const { define } of all) await define();
    },
    async start(): Promise<void> {
      for (const { start } of all) await start();
    },
  };
}

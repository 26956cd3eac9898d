import { createRegular, type RegularTask } from '../platform/jobs/regular.ts';
import type { Core } from './core.ts';

/** The first runs come some minutes after the first start, for those who run Engram for short spans. */
const FIRST_AFTER_MS = 5 * 60_000;

/** The tasks of each queue. One server at a time runs a queue, one task after the other. */
export interface RegularWork {
  upkeep: readonly RegularTask[];
  /** Separate, so that long maintenance does not delay payments. */
  provider: readonly RegularTask[];
  /** Separate, because the first backup may take hours. */
  backup: readonly RegularTask[];
}

/** Work that is repeated at an interval. */
export function createRegularWork({ config, storage, log }: Core, work: RegularWork) {
  const besideOthers = config.databaseUrl !== undefined;
  const common = { jobs: storage.jobs, log, firstAfterMs: FIRST_AFTER_MS, besideOthers };
  const queues = (['upkeep', 'provider', 'backup'] as const).map((queue) =>
    createRegular({ ...common, queue, tasks: work[queue] }),
  );

  return {
    async define(): Promise<void> {
      for (const { define } of queues) await define();
    },
    async start(): Promise<void> {
      for (const { start } of queues) await start();
    },
  };
}

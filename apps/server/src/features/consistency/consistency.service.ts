import type { Core } from '../../composition/core.ts';
import type { AuthService } from '../auth/auth.service.ts';
import type { Ingestion } from '../ingestion/ingestion.module.ts';
import { createTallies, type Finding, findingKinds, type Tally } from './findings.ts';
import { createInspection } from './inspection.ts';
import { createRepairs } from './repairs.ts';

const DAY_MS = 86_400_000;

/**
 * Checks that the database, the file store, the search index and the queues are consistent, and repairs
 * the effects of crashes, full disks and manual changes in the data folder.
 * @param isArriving whether this server is storing the bytes of an artifact without a row
 */
export function createConsistencyService(
  core: Core,
  ingestion: Ingestion,
  accounts: AuthService['accounts'],
  isArriving: (artifactId: string) => boolean,
) {
  const { config, storage, log, now } = core;
  const { files, deletedAccounts } = storage;
  const startedAt = now().getTime();
  /** Bytes without a row that were last changed before this time are leftovers. */
  const leftoversBefore = (): Date => {
    const aDayAgo = now().getTime() - DAY_MS;
    // Another server that shares the files may still be writing them.
    const isAlone = config.notShared.length > 0;
    return new Date(isAlone ? Math.max(startedAt, aDayAgo) : aDayAgo);
  };
  const repairAll = createRepairs(storage, ingestion, leftoversBefore);
  const inspect = createInspection(core, ingestion, accounts, isArriving, leftoversBefore);

  async function run(
    mayRepair: (finding: Finding) => Promise<boolean>,
    tallies = createTallies(),
    signal?: AbortSignal,
  ): Promise<Tally[]> {
    for await (const findings of inspect()) {
      if (signal?.aborted) break;
      const repairable: Finding[] = [];
      for (const finding of findings) {
        const { kind, artifactId, userId } = finding;
        const repairs = await mayRepair(finding);
        if (repairs) repairable.push(finding);
        tallies.add(kind, artifactId || userId, repairs);
      }
      await repairAll(repairable);
    }
    return tallies.list();
  }

  return {
    check: (): Promise<Tally[]> => run(async () => false),

    async repair(): Promise<Tally[]> {
      const tallies = createTallies();
      const first = await run(async () => true, tallies);
      const isIncomplete = first.some(({ kind }) => kind === 'unreadable-index');
      return isIncomplete ? run(async () => true, tallies) : first;
    },

    async maintain(signal?: AbortSignal): Promise<Tally[]> {
      const hasBytes = (await files.owners()).length > 0;
      const isCertain = async ({ kind, userId }: Finding): Promise<boolean> => {
        // If all bytes are missing, the disk may not be mounted.
        if (kind === 'missing-bytes') return hasBytes;
        // If users are unknown, the database may be the wrong one.
        return kind !== 'unknown-user' || deletedAccounts.has(userId);
      };
      const tallies = await run(isCertain, createTallies(), signal);
      const repaired = tallies
        .filter(({ repaired }) => repaired > 0)
        .map(({ kind, repaired }) => {
          const { problem, repair } = findingKinds[kind];
          return `${repaired} ${problem}: ${repair}`;
        });
      if (repaired.length > 0) log.info(`The consistency check repaired ${repaired.join('; ')}.`);
      const unrepaired = tallies.filter((tally) => tally.count > tally.repaired);
      if (unrepaired.length > 0) {
        const sum = unrepaired.reduce((total, tally) => total + tally.count - tally.repaired, 0);
        log.error(`${sum} inconsistencies were not repaired. 'npm run doctor' shows them.`);
      }
      if (unrepaired.some(({ kind }) => kind === 'unknown-user')) {
        log.error(
          "Some stored files or indexes belong to unknown users. Check that this is the right database before you remove them with 'npm run doctor -- --fix'.",
        );
      }
      return tallies;
    },
  };
}

import type { Core } from '../../composition/core.ts';
import type { Ingestion } from '../ingestion/ingestion.module.ts';
import type { AuthService } from '../auth/auth.service.ts';
import {
  createTallies,
  describeMended,
  type Finding,
  type Tallies,
  type Tally,
} from './findings.ts';
import { createInspection, createLeftBefore, type InspectionDependencies } from './inspection.ts';
import { createMending } from './mending.ts';

/**
 * Keeps the database, the file store, the search index and the queues in step: finds what a kill, a
 * full disk or a hand in the data folder left behind on either side, and mends it.
 */
export function createUpkeepService(
  { config, storage, log, now }: Core,
  services: {
    ingestion: Ingestion;
    accounts: AuthService['accounts'];
    isArriving: InspectionDependencies['isArriving'];
  },
) {
  const { files, index, artifactsRepository, deletedAccounts } = storage;
  const { ingestion, accounts, isArriving } = services;
  const deps = {
    files,
    index,
    artifacts: artifactsRepository,
    readAgain: storage.readAgain,
    indexAgain: ingestion.indexing.enqueue,
    giveUp: ingestion.giveUp,
    underWay: ingestion.underWay,
    existingUsers: accounts.existing,
    leftBefore: createLeftBefore(now, config.notShared.length > 0),
    isArriving,
  };
  const mending = createMending(deps);
  const inspection = createInspection({
    ...deps,
    onUnreadable: (userId, err) => log.warn({ err, userId }, 'a search index cannot be opened'),
  });

  /** What the sweep leaves to a person: it could be the sign of something else. */
  const isDrastic = async (): Promise<(finding: Finding) => Promise<boolean>> => {
    // No byte of anybody there: more likely a disk that is not mounted than a loss of all.
    const noBytes = (await files.owners()).length === 0;
    // People who are not known: perhaps it is another database than theirs.
    return async ({ kind, userId }) =>
      (kind === 'unknown-user' && !(userId && (await deletedAccounts.has(userId)))) ||
      (noBytes && kind === 'missing-bytes');
  };

  async function go(
    shouldMend: (finding: Finding) => Promise<boolean>,
    {
      tallies = createTallies(),
      signal,
    }: { tallies?: Tallies; signal?: AbortSignal | undefined } = {},
  ): Promise<Tally[]> {
    for await (const findings of inspection.run()) {
      if (signal?.aborted) break;
      const mendable: Finding[] = [];
      for (const finding of findings) {
        const mends = await shouldMend(finding);
        if (mends) mendable.push(finding);
        tallies.add(finding, mends);
      }
      await mending.mend(mendable);
    }
    return tallies.list();
  }

  return {
    /** All that is inconsistent now. */
    examine: (): Promise<Tally[]> => go(async () => false),

    /** Mends all that is inconsistent; answers what that was. */
    async mend(): Promise<Tally[]> {
      const tallies = createTallies();
      const first = await go(async () => true, { tallies });
      const again = first.some(({ kind }) => kind === 'unreadable-index');
      return again ? go(async () => true, { tallies }) : first;
    },

    /**
     * Mends what surely is a left-over, while the server runs, and says so in one line of the log.
     * Ends early when it is aborted.
     */
    async sweep(signal?: AbortSignal): Promise<Tally[]> {
      const drastic = await isDrastic();
      const tallies = await go(async (finding) => !(await drastic(finding)), { signal });
      const mended = describeMended(tallies);
      if (mended) log.info(`The upkeep mended what was inconsistent: ${mended}.`);
      const left = tallies.filter((tally) => tally.count > tally.mended);
      if (left.length > 0) {
        const sum = left.reduce((total, tally) => total + tally.count - tally.mended, 0);
        log.error(`${sum} inconsistencies were left as they are. 'npm run doctor' shows them.`);
      }
      if (left.some(({ kind }) => kind === 'unknown-user')) {
        log.error(
          "Stored files or indexes are of people whom the database does not know: make sure that it is the right one before 'npm run doctor -- --fix' removes them.",
        );
      }
      return tallies;
    },

    /** Files and their bytes, by state. */
    census: artifactsRepository.census,
  };
}

import { tooManyRequests } from '../../platform/http/errors.ts';
import { countFor, type Network } from '../../platform/http/networks.ts';
import type { Limit } from '../../platform/limits/limit.ts';
import type { ConnectionsRepository } from './connections.repository.ts';

/** Programs that are kept without anybody having let them in; a day takes these away, too. */
const MOST_UNUSED = 1000;

const TOO_MANY = 'Too many programs were registered. Please try again later.';

/** How many programs may register themselves: anybody may, and most of what comes is never used. */
export function createRegistrations({
  repository,
  limit,
}: {
  repository: Pick<ConnectionsRepository, 'keepUnusedClients'>;
  limit: Limit;
}) {
  return {
    /**
     * Makes room for one more: the oldest unused ones go, so that nobody keeps others out.
     * @throws HttpError 429 where a network registers too many.
     */
    async makeRoom(networks: readonly Network[]): Promise<void> {
      const wait = await countFor(limit, networks);
      if (wait > 0) throw tooManyRequests(TOO_MANY, wait);
      await repository.keepUnusedClients(MOST_UNUSED - 1);
    },
  };
}

export type Registrations = ReturnType<typeof createRegistrations>;

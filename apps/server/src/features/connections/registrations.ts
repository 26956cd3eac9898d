import { tooManyRequests } from '../../platform/http/errors.ts';
import { countFor, type Network } from '../../platform/http/networks.ts';
import type { Limit } from '../../platform/http/token-bucket.ts';
import type { ConnectionsRepository } from './connections.repository.ts';

/** Programs that may be registered without anybody having let them in: a day takes them away again. */
const MOST_UNUSED = 1000;

const TOO_MANY = 'Too many programs were registered. Please try again later.';

const HOUR_SECONDS = 3600;

/** How many programs may register themselves: anybody may, and most of what comes is never used. */
export function createRegistrations({
  repository,
  limit,
}: {
  repository: Pick<ConnectionsRepository, 'countUnusedClients'>;
  limit: Limit;
}) {
  return {
    /** @throws HttpError 429 where a network registers too many, or there are too many unused. */
    async assertRoom(networks: readonly Network[]): Promise<void> {
      const wait = countFor(limit, networks);
      if (wait > 0) throw tooManyRequests(TOO_MANY, wait);
      const unused = await repository.countUnusedClients();
      if (unused >= MOST_UNUSED) throw tooManyRequests(TOO_MANY, HOUR_SECONDS);
    },
  };
}

export type Registrations = ReturnType<typeof createRegistrations>;

import { randomUUID } from 'node:crypto';
import { planBusy } from './payments.errors.ts';
import type { PaymentsRepository } from './payments.repository.ts';

/**
 * How long a turn may take, in seconds: longer than a provider may take for the calls of one. A
 * turn whose server was killed is over then.
 */
const LONGEST_S = 180;

/**
 * Lets one thing at a time be bought, changed or ended by a person, so that each starts from what
 * the one before has left. On one server they wait for each other; where another server on the same
 * database is at it, the call is refused. No transaction is held while a provider is asked.
 */
export function createTurns(repository: Pick<PaymentsRepository, 'takeTurn' | 'endTurn'>) {
  /** The end of each person's last turn on this server. */
  const ends = new Map<string, Promise<unknown>>();

  const hold = async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    const holder = randomUUID();
    if (!(await repository.takeTurn(userId, holder, LONGEST_S))) throw planBusy();
    try {
      return await work();
    } finally {
      await repository.endTurn(userId, holder);
    }
  };

  /** @throws HttpError 409 while another server has the turn. */
  return <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    const before = ends.get(userId) ?? Promise.resolve();
    const turn = before.then(() => hold(userId, work));
    const end = turn
      .catch(() => undefined)
      .finally(() => {
        if (ends.get(userId) === end) ends.delete(userId);
      });
    ends.set(userId, end);
    return turn;
  };
}

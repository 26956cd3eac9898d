import { randomUUID } from 'node:crypto';
import { planBusy } from './payments.errors.ts';
import type { PaymentsRepository } from './payments.repository.ts';
import type { TurnWork } from './payments.tables.ts';
import { ProviderDown } from './provider.ts';

/**
 * How long a turn may take, in seconds: longer than a provider may take for the calls of one. A
 * turn whose server was killed is over then.
 */
const LONGEST_S = 180;

export interface TurnsDependencies {
  repository: Pick<PaymentsRepository, 'takeTurn' | 'noteTurn' | 'endTurn' | 'leaveTurns'>;
  /** Does what a turn that was cut off has left. */
  finish: (work: TurnWork) => Promise<void>;
}

export type Turns = ReturnType<typeof createTurns>;

/** Keeps what is about to be done at the provider; a kill from then on leaves it to be finished. */
export type Note = (work: TurnWork) => Promise<void>;

/**
 * Lets one thing at a time be bought, changed or ended by a person, so that each starts from what
 * the one before has left. On one server they wait for each other; where another server on the same
 * database is at it, the call is refused. No transaction is held while a provider is asked.
 */
export function createTurns({ repository, finish }: TurnsDependencies) {
  /** The end of each person's last turn on this server. */
  const ends = new Map<string, Promise<unknown>>();

  const hold = async <T>(userId: string, work: (note: Note) => Promise<T>): Promise<T> => {
    const holder = randomUUID();
    const taken = await repository.takeTurn(userId, holder, LONGEST_S);
    if (!taken) throw planBusy();
    let noted = taken.work;
    try {
      if (noted) await finish(noted);
      noted = null;
      const result = await work(async (about) => {
        noted = about.nextPriceId === null ? null : about;
        await repository.noteTurn(userId, holder, about);
      });
      noted = null;
      return result;
    } catch (error) {
      if (!(error instanceof ProviderDown)) noted = null;
      throw error;
    } finally {
      // What could not be finished is left to the next turn.
      await (noted ? repository.leaveTurns(holder) : repository.endTurn(userId, holder));
    }
  };

  /** @throws HttpError 409 while another server has the turn. */
  return <T>(userId: string, work: (note: Note) => Promise<T>): Promise<T> => {
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

import type { Core } from '../../composition/core.ts';
import { createAnswerAudio } from './answer-audio.ts';
import { createHistoryRepository } from './history.repository.ts';
import { createHistoryService } from './history.service.ts';
import { createPortableHistory, historyFull } from './portable-history.ts';

const AUDIO_TIMEOUT_MS = 10_000;

const MAX_EARLIER = 500;

export function createHistory(core: Core) {
  const repository = createHistoryRepository(core.storage.database);
  const audio = createAnswerAudio(core, repository, AUDIO_TIMEOUT_MS);
  const service = createHistoryService(core, repository, audio);
  return {
    repository,
    audio,
    service,
    /** @throws HttpError 409 if the user's history holds all the entries that an account may have */
    async assertNotFull(userId: string): Promise<void> {
      const { historyLimit } = core.config;
      if ((await repository.count({ userId })) >= historyLimit) throw historyFull(historyLimit);
    },
    /** A user's earlier questions that the files answer, without archived ones. */
    earlierQuestions: async (userId: string): Promise<string[]> =>
      rankQuestions(await repository.newestQuestions(userId, MAX_EARLIER)),
    portable: createPortableHistory(core, repository, service),
  };
}

export type History = ReturnType<typeof createHistory>;

/** Position at which a question counts half as much as the newest. */
const HALF_LIFE = 20;

const keyOf = (question: string): string =>
  question
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

/** Ranks questions by how recently and often they were asked, if the last time had an answer. */
export function rankQuestions(asked: readonly { question: string; grounded: boolean }[]): string[] {
  const ranked = new Map<string, { question: string; grounded: boolean; worth: number }>();
  for (const [at, entry] of asked.entries()) {
    const key = keyOf(entry.question);
    const known = ranked.get(key) ?? { ...entry, worth: 0 };
    ranked.set(key, { ...known, worth: known.worth + 1 / (1 + at / HALF_LIFE) });
  }
  return [...ranked.values()]
    .filter(({ grounded }) => grounded)
    .sort((a, b) => b.worth - a.worth)
    .map(({ question }) => question);
}

import type { Core } from '../../composition/core.ts';
import { createAnswerAudio } from './answer-audio.ts';
import { createHistoryRepository } from './history.repository.ts';
import { createHistoryService } from './history.service.ts';
import { createPortableHistory, historyFull } from './portable-history.ts';

const AUDIO_TIMEOUT_MS = 10_000;

const MAX_QUESTIONS = 500;

export function createHistory(core: Core) {
  const repository = createHistoryRepository(core.storage.database);
  const audio = createAnswerAudio(core, repository, AUDIO_TIMEOUT_MS);
  const service = createHistoryService(core, repository, audio);
  return {
    repository,
    audio,
    service,
    /** @throws HttpError 409 if the user's history has reached its limit */
    async assertNotFull(userId: string): Promise<void> {
      const { historyLimit } = core.config;
      if ((await repository.count({ userId })) >= historyLimit) throw historyFull(historyLimit);
    },
    /** A user's earlier questions that the files answer, without archived ones. */
    earlierQuestions: async (userId: string): Promise<string[]> =>
      rankQuestions(await repository.newestQuestions(userId, MAX_QUESTIONS)),
    portable: createPortableHistory(core, repository, service),
  };
}

export type History = ReturnType<typeof createHistory>;

/** The position at which a question has half the weight of the newest. */
const HALF_LIFE = 20;

const keyOf = (question: string): string =>
  question
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

/** Ranks questions by how recently and often they were asked. The newest answer must be grounded. */
export function rankQuestions(
  entries: readonly { question: string; grounded: boolean }[],
): string[] {
  const ranked = new Map<string, { question: string; grounded: boolean; weight: number }>();
  for (const [position, entry] of entries.entries()) {
    const key = keyOf(entry.question);
    const newest = ranked.get(key) ?? { ...entry, weight: 0 };
    ranked.set(key, { ...newest, weight: newest.weight + 1 / (1 + position / HALF_LIFE) });
  }
  return [...ranked.values()]
    .filter(({ grounded }) => grounded)
    .sort((a, b) => b.weight - a.weight)
    .map(({ question }) => question);
}

import type { Core } from '../../composition/core.ts';
import { createAnswerAudio } from './answer-audio.ts';
import { rankQuestions } from './earlier-questions.ts';
import { createHistoryRepository } from './history.repository.ts';
import { createHistoryService } from './history.service.ts';
import { createPortableHistory, historyFull } from './portable-history.ts';

/** How long a question waits for the audio of its answer, in milliseconds. */
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

import type { Core } from '../../composition/core.ts';
import { createAnswerAudio } from './answer-audio.ts';
import { createEarlierQuestions } from './earlier-questions.ts';
import { historyFull } from './history.errors.ts';
import { createHistoryRepository } from './history.repository.ts';
import { createHistoryService } from './history.service.ts';
import { createPortableHistory } from './portable-history.ts';

/** How long a question waits for the audio of its answer, in milliseconds. */
const AUDIO_TIMEOUT_MS = 10_000;

/** Questions with their answers. */
export function createHistory(core: Core) {
  const { database } = core.storage;
  const repository = createHistoryRepository(database);
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
    earlierQuestions: createEarlierQuestions(database),
    portable: createPortableHistory(core, repository, service),
  };
}

export type History = ReturnType<typeof createHistory>;

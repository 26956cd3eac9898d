import { answerQuestions, listAnsweredQuestions, listQuestions } from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { QuestionnaireService } from './questionnaire.service.ts';

export function mountQuestionnaireRoutes(mount: Mount, service: QuestionnaireService): void {
  mount(listQuestions, async () => ({ data: service.list() }));

  mount(listAnsweredQuestions, async ({ caller }) => ({
    data: await service.answered(caller.userId),
  }));

  mount(answerQuestions, async ({ caller, body }) => ({
    data: await service.answer(caller.userId, body.responses),
  }));
}

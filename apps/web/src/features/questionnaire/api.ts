import {
  answerQuestions,
  listAnsweredQuestions,
  recommendedQuestions,
} from '@engram/contract/browser';
import { invalidate } from '../../api/keys.ts';
import { useAction } from '../../api/use-action.ts';
import { callQuery } from '../../api/use-call.ts';

/** The option chosen for each question, by ids. */
export type Choices = Readonly<Record<string, string>>;

/** Choices as the server takes them. */
export const answersOf = (choices: Choices) => ({
  body: {
    responses: Object.entries(choices).map(([questionId, selectedOption]) => ({
      questionId,
      selectedOption,
    })),
  },
});

/** Sends answers; other questions are recommended from then on. */
export const useSubmitAnswers = () =>
  useAction(answerQuestions, {
    onSuccess: (answered, _input, _before, { client }) => {
      client.setQueryData(callQuery(listAnsweredQuestions, {}).queryKey, answered);
      void invalidate(client, [recommendedQuestions]);
    },
    // The server may have other questions by now: they are shown, with what was chosen of them.
    onError: (_error, _input, _before, { client }) => void invalidate(client, ['questionnaire']),
  });

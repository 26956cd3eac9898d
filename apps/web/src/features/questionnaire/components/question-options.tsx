import type { Question } from '@engram/contract';
import {
  answerQuestions,
  listAnsweredQuestions,
  recommendedQuestions,
} from '@engram/contract/browser';
import { Stack } from '@mantine/core';
import type { Ref } from 'react';
import { invalidate } from '../../../api/keys.ts';
import { useAction } from '../../../api/use-action.ts';
import { callQuery } from '../../../api/use-call.ts';
import classes from './question-options.module.css';

export type Choices = Readonly<Record<string, string>>;

export const answersOf = (choices: Choices) => ({
  body: {
    responses: Object.entries(choices).map(([questionId, selectedOption]) => ({
      questionId,
      selectedOption,
    })),
  },
});

export const useSubmitAnswers = () =>
  useAction(answerQuestions, {
    onSuccess: (answered, _input, _before, { client }) => {
      client.setQueryData(callQuery(listAnsweredQuestions, {}).queryKey, answered);
      void invalidate(client, [recommendedQuestions]);
    },
    // The questions may have changed on the server, so they are fetched again.
    onError: (_error, _input, _before, { client }) => void invalidate(client, ['questionnaire']),
  });

interface QuestionOptionsProps {
  ref?: Ref<HTMLDivElement>;
  question: Question;
  labeledBy: string;
  chosen: string | undefined;
  disabled: boolean;
  onChoose: (optionId: string) => void;
}

export function QuestionOptions(props: QuestionOptionsProps) {
  const { ref, question, labeledBy, chosen, disabled, onChoose } = props;
  return (
    <Stack ref={ref} gap={8} role="radiogroup" aria-labelledby={labeledBy}>
      {question.options.map(({ optionId, optionText }) => (
        <label key={optionId} className={classes.option}>
          <input
            type="radio"
            name={question.questionId}
            value={optionId}
            checked={optionId === chosen}
            disabled={disabled}
            onChange={() => onChoose(optionId)}
          />
          <span>{optionText}</span>
        </label>
      ))}
    </Stack>
  );
}

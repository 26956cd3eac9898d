import { Stack } from '@mantine/core';
import type { Question } from '@engram/contract';
import type { Ref } from 'react';
import classes from './question-options.module.css';

interface QuestionOptionsProps {
  ref?: Ref<HTMLDivElement>;
  question: Question;
  /** The id of what the question is asked in. */
  labelledBy: string;
  /** The option chosen so far. */
  chosen: string | undefined;
  disabled: boolean;
  onChoose: (optionId: string) => void;
}

/** What can be answered to a question. */
export function QuestionOptions(props: QuestionOptionsProps) {
  const { ref, question, labelledBy, chosen, disabled, onChoose } = props;
  return (
    <Stack ref={ref} gap={8} role="radiogroup" aria-labelledby={labelledBy}>
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

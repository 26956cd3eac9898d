import { Button, Group, Stack, Title } from '@mantine/core';
import type { Question } from '@engram/contract';
import { useEffect, useId, useRef, type SyntheticEvent } from 'react';
import { FailureNote } from '../../../components/failure-note.tsx';
import { QuestionOptions } from './question-options.tsx';

interface QuestionFormProps {
  question: Question;
  /** The option chosen so far. */
  chosen: string | undefined;
  /** Whether the person came here from another question, with the focus on a button that is gone. */
  takesFocus: boolean;
  /** Why the answers could not be handed in, if they could not. */
  failure: Error | null;
  isPending: boolean;
  onChoose: (optionId: string) => void;
  /** Null at the first question. */
  onBack: (() => void) | null;
  onSkip: () => void;
  onNext: () => void;
}

/** One question with its options; Enter goes on as soon as one is chosen. */
export function QuestionForm(props: QuestionFormProps) {
  const { question, chosen, takesFocus, failure, isPending, onChoose, onBack, onSkip } = props;
  const group = useRef<HTMLDivElement>(null);
  const titleId = useId();

  useEffect(() => {
    if (!takesFocus) return;
    const options = group.current?.querySelectorAll<HTMLInputElement>('input');
    const current = [...(options ?? [])].find(({ checked }) => checked) ?? options?.[0];
    current?.focus({ preventScroll: true });
  }, [takesFocus]);

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (chosen !== undefined && !isPending) props.onNext();
  };

  return (
    <Stack component="form" flex={1} gap={0} onSubmit={submit}>
      <Title id={titleId} mb={24} data-page-heading tabIndex={-1}>
        {question.question}
      </Title>
      <QuestionOptions
        ref={group}
        question={question}
        labelledBy={titleId}
        chosen={chosen}
        disabled={isPending}
        onChoose={onChoose}
      />
      {failure && <FailureNote title="Your answers could not be saved." error={failure} />}
      {/* At the card's foot, so that the buttons stay where they are. */}
      <Group justify="flex-end" gap={8} mt="auto" pt={24} wrap="nowrap">
        {onBack && (
          <Button
            ml={-18}
            mr="auto"
            variant="subtle"
            color="gray"
            disabled={isPending}
            onClick={onBack}
          >
            Back
          </Button>
        )}
        <Button variant="subtle" color="gray" disabled={isPending} onClick={onSkip}>
          Skip
        </Button>
        <Button type="submit" disabled={chosen === undefined} loading={isPending}>
          Next
        </Button>
      </Group>
    </Stack>
  );
}

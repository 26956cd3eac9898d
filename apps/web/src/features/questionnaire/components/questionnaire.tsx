import type { Question } from '@engram/contract';
import { listQuestions } from '@engram/contract/browser';
import { Box, Button, Center, Group, Stack, Text, Title } from '@mantine/core';
import { useCallback, useId, useRef, useState, type SyntheticEvent } from 'react';
import { useCall } from '../../../api/use-call.ts';
import { ErrorState } from '../../../components/empty-state.tsx';
import { FailureNote } from '../../../components/notice.tsx';
import { notifySuccess } from '../../../components/notify.ts';
import { readCache, writeCache } from '../../../session/session-cache.ts';
import { answersOf, QuestionOptions, useSubmitAnswers, type Choices } from './question-options.tsx';

interface QuestionnaireProps {
  onSkip: () => void;
  onDone: () => void;
}

export function Questionnaire(props: QuestionnaireProps) {
  // The questions must not change while they are answered.
  const call = useCall(listQuestions, {}, { staleTime: Infinity });
  if (call.data) return <QuestionStep {...props} questions={call.data} />;
  if (call.error && !call.isFetching) {
    return (
      <Center flex={1} mih={280}>
        <ErrorState title="Failed to load questions." error={call.error} onRetry={call.refetch} />
      </Center>
    );
  }
  return (
    <Center component="output" flex={1} mih={280} c="dimmed">
      Loading questions...
    </Center>
  );
}

const CACHE_KEY = 'questionnaire';

interface Draft {
  choices: Choices;
  step: number;
}

function focusOption(options: HTMLElement): void {
  const chosen = options.querySelector<HTMLElement>('input:checked');
  (chosen ?? options.querySelector<HTMLElement>('input'))?.focus({ preventScroll: true });
}

/** The part of a stored draft that still fits the questions. */
function restoreDraft(questions: readonly Question[], stored: Partial<Draft> | undefined): Draft {
  const choices = Object.fromEntries(
    questions.flatMap(({ questionId, options }) => {
      const chosen = options.find(({ optionId }) => optionId === stored?.choices?.[questionId]);
      return chosen ? [[questionId, chosen.optionId]] : [];
    }),
  );
  const firstUnanswered = questions.findIndex(({ questionId }) => !choices[questionId]);
  const lastReachable = firstUnanswered === -1 ? questions.length - 1 : firstUnanswered;
  return {
    choices,
    step: Math.min(Math.max(0, Math.trunc(stored?.step ?? 0) || 0), lastReachable),
  };
}

function QuestionStep({
  questions,
  onSkip,
  onDone,
}: QuestionnaireProps & { questions: Question[] }) {
  const [stored, setStored] = useState(() => readCache<Partial<Draft>>(CACHE_KEY)?.data);
  const hasMoved = useRef(false);
  const titleId = useId();
  const submit = useSubmitAnswers();
  const { choices, step } = restoreDraft(questions, stored);
  const question = questions[step];
  if (!question) return null;
  const { questionId } = question;
  const chosen = choices[questionId];
  const isPending = submit.isPending || submit.isSuccess;

  const store = (draft: Draft): void => {
    setStored(draft);
    writeCache(CACHE_KEY, draft);
  };
  const goTo = (next: number): void => {
    hasMoved.current = true;
    store({ choices, step: next });
  };
  const choose = (optionId: string): void => {
    submit.reset();
    store({ choices: { ...choices, [questionId]: optionId }, step });
  };
  const next = (): void => {
    if (step < questions.length - 1) return goTo(step + 1);
    submit.mutate(answersOf(choices), {
      onSuccess() {
        writeCache(CACHE_KEY, []);
        notifySuccess('Your account has been successfully created.');
        onDone();
      },
    });
  };
  const goBack = (): void => {
    submit.reset();
    goTo(step - 1);
  };
  // The focused button is removed with the previous question.
  const onOptions = useCallback((options: HTMLElement | null): void => {
    if (options && hasMoved.current) focusOption(options);
  }, []);
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (chosen !== undefined && !isPending) next();
  };
  return (
    <>
      <StepProgress step={step + 1} total={questions.length} />
      <Stack component="form" flex={1} gap={0} onSubmit={onSubmit}>
        <Title id={titleId} mb={24} data-page-heading tabIndex={-1}>
          {question.question}
        </Title>
        <QuestionOptions
          key={questionId}
          ref={onOptions}
          question={question}
          labeledBy={titleId}
          chosen={chosen}
          disabled={isPending}
          onChoose={choose}
        />
        <FailureNote title="Your answers could not be saved." error={submit.error} />
        {/* At the bottom of the card, so that the buttons do not move. */}
        <Group justify="flex-end" gap={8} mt="auto" pt={24} wrap="nowrap">
          {step > 0 && (
            <Button
              ml={-18}
              mr="auto"
              variant="subtle"
              color="gray"
              disabled={isPending}
              onClick={goBack}
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
    </>
  );
}

function StepProgress({ step, total }: { step: number; total: number }) {
  const text = `Question ${step} of ${total}`;
  return (
    <Group gap={16} mb={24} wrap="nowrap">
      <Text flex="none" fz="sm" c="dimmed" aria-live="polite">
        {text}
      </Text>
      <progress
        className="eg-visually-hidden"
        aria-label="Progress through the questions"
        aria-valuetext={text}
        value={step}
        max={total}
      />
      <Group flex={1} gap={6} wrap="nowrap" aria-hidden="true">
        {Array.from({ length: total }, (_, index) => (
          <Box
            key={index}
            flex={1}
            h={4}
            bdrs={2}
            bg={index < step ? 'var(--eg-accent)' : 'var(--eg-line)'}
          />
        ))}
      </Group>
    </Group>
  );
}

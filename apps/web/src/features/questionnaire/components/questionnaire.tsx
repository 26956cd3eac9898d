import type { Question } from '@engram/contract';
import { listQuestions } from '@engram/contract/browser';
import { Center } from '@mantine/core';
import { useCall } from '../../../api/use-call.ts';
import { answersOf, useSubmitAnswers } from '../api.ts';
import { ErrorState } from '../../../components/error-state.tsx';
import { notifySuccess } from '../../../components/notify.ts';
import { useAnswering } from '../use-answering.ts';
import { QuestionForm } from './question-form.tsx';
import { StepProgress } from './step-progress.tsx';

interface QuestionnaireProps {
  /** The person does not want to be asked now. */
  onSkip: () => void;
  /** Everything is answered and handed in, or there is nothing to answer. */
  onDone: () => void;
}

/** One question after the other, from loading them to handing in the answers. */
export function Questionnaire(props: QuestionnaireProps) {
  const {
    data: questions,
    error,
    isFetching,
    refetch,
  } = useCall(
    listQuestions,
    {},
    // They stay as they are while somebody answers them.
    { staleTime: Infinity },
  );
  if (questions) return <Asking {...props} questions={questions} />;
  if (error && !isFetching) {
    return (
      <Center flex={1} mih={280}>
        <ErrorState
          title="Failed to load questions."
          error={error}
          onRetry={() => void refetch()}
        />
      </Center>
    );
  }
  return (
    <Center component="output" flex={1} mih={280} c="dimmed">
      Loading questions...
    </Center>
  );
}

function Asking({ questions, onSkip, onDone }: QuestionnaireProps & { questions: Question[] }) {
  const { step, hasMoved, choices, choose, goTo, finish } = useAnswering(questions);
  const submit = useSubmitAnswers();
  const question = questions[step];

  const next = (): void => {
    if (step < questions.length - 1) return goTo(step + 1);
    submit.mutate(answersOf(choices), {
      onSuccess() {
        finish();
        notifySuccess('Your account has been successfully created.');
        onDone();
      },
    });
  };

  const back = (): void => {
    submit.reset();
    goTo(step - 1);
  };

  if (!question) return null;
  return (
    <>
      <StepProgress step={step + 1} of={questions.length} />
      <QuestionForm
        key={question.questionId}
        question={question}
        chosen={choices[question.questionId]}
        takesFocus={hasMoved}
        failure={submit.error}
        isPending={submit.isPending || submit.isSuccess}
        onChoose={(optionId) => {
          submit.reset();
          choose(question.questionId, optionId);
        }}
        onBack={step > 0 ? back : null}
        onSkip={onSkip}
        onNext={next}
      />
    </>
  );
}

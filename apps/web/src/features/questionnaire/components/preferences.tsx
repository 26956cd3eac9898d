import type { AnsweredQuestion } from '@engram/contract';
import { listAnsweredQuestions } from '@engram/contract/browser';
import { Box, Button, Group, Text } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { LoadState } from '../../../components/loading-blocks.tsx';
import { useCall } from '../../../api/use-call.ts';
import { FailureNote } from '../../../components/notice.tsx';
import { notifySuccess } from '../../../components/notify.ts';
import { answersOf, QuestionOptions, useSubmitAnswers, type Choices } from './question-options.tsx';

export function Preferences() {
  const call = useCall(listAnsweredQuestions, {});
  if (call.data) return <Answers questions={call.data} />;
  return (
    <LoadState
      call={call}
      what="questions..."
      failed="Failed to load questions."
      heights={[180, 180, 180]}
    />
  );
}

function Answers({ questions }: { questions: readonly AnsweredQuestion[] }) {
  const [changed, setChanged] = useState<Choices>({});
  const submit = useSubmitAnswers();
  const isChanged = Object.keys(changed).length > 0;

  const choose = ({ questionId, selectedOptionId }: AnsweredQuestion, optionId: string): void => {
    submit.reset();
    setChanged((previous) => {
      const next: Record<string, string> = { ...previous, [questionId]: optionId };
      if (optionId === selectedOptionId) delete next[questionId];
      return next;
    });
  };
  const save = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!isChanged || submit.isPending) return;
    submit.mutate(answersOf(changed), {
      onSuccess() {
        setChanged({});
        notifySuccess('Your answers are saved.');
      },
    });
  };
  return (
    <form onSubmit={save}>
      {questions.map((question) => {
        const { questionId, selectedOptionId } = question;
        const titleId = `question-${questionId}`;
        return (
          <Box component="section" key={questionId} mb={24}>
            <Text component="h4" id={titleId} mb={12} fw={600} lh={1.4}>
              {question.question}
            </Text>
            <QuestionOptions
              question={question}
              labeledBy={titleId}
              chosen={changed[questionId] ?? selectedOptionId ?? undefined}
              disabled={submit.isPending}
              onChoose={(optionId) => choose(question, optionId)}
            />
          </Box>
        );
      })}
      <FailureNote title="Your answers could not be saved." error={submit.error} />
      {/* Visible even if the list is long. */}
      <Box pos="sticky" bottom={0} mb={-24} bg="var(--eg-surface)">
        <hr />
        <Group py={16}>
          <Button type="submit" disabled={!isChanged} loading={submit.isPending}>
            Save answers
          </Button>
          <Text size="sm" c="dimmed">
            {isChanged ? 'Not saved yet.' : ''}
          </Text>
        </Group>
      </Box>
    </form>
  );
}

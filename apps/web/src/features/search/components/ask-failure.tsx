import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Notice } from '../../../components/notice.tsx';
import { describeFailure } from '../failure.ts';
import { TextButton } from '../../../components/text-button.tsx';

interface AskFailureProps {
  error: unknown;
  onRetry: () => void;
}

/** What went wrong with a question, and a way to ask it again. */
export function AskFailure({ error, onRetry }: AskFailureProps) {
  const { title, text, retry } = describeFailure(error, navigator.onLine);
  return (
    <Notice tone="danger" icon={IconAlertTriangle} live="alert">
      <strong>{title}</strong>
      <Text inherit mt={2} c="var(--eg-ink)">
        {text}
      </Text>
      {retry && (
        <TextButton mt={8} onClick={onRetry}>
          Ask again
        </TextButton>
      )}
    </Notice>
  );
}

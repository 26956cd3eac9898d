import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Notice } from '../../../components/notice.tsx';
import { TextButton } from '../../../components/buttons.tsx';
import { ApiError } from '@engram/client';
import { messageOf } from '../../../components/notify.ts';

export function AskFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
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

interface Failure {
  title: string;
  text: string;
  retry: boolean;
}

function describeFailure(error: unknown, online: boolean): Failure {
  if (!online) {
    return {
      title: 'You are offline',
      text: 'Your question is kept; ask again when you are back.',
      retry: true,
    };
  }
  if (error instanceof ApiError) {
    if (error.status === 402) {
      return { title: 'Your plan does not allow this question', text: error.message, retry: false };
    }
    if (error.status === 429) {
      return { title: 'Too many questions at once', text: messageOf(error), retry: true };
    }
    if (error.status >= 500) {
      return {
        title: 'The question could not be answered',
        text: `${error.message} Your question is still here: try again in a moment.`,
        retry: true,
      };
    }
    return { title: 'The question was not accepted', text: error.message, retry: false };
  }
  return { title: 'The question could not be sent', text: messageOf(error), retry: true };
}

interface LoadFailureProps {
  title: string;
  error: unknown;
  onRetry: () => void;
  centered: boolean;
}

/** Says that something besides the answer could not be loaded. */
export function LoadFailure({ title, error, onRetry, centered }: LoadFailureProps) {
  return (
    <Notice live="status" tone="quiet" icon={IconAlertTriangle} centered={centered}>
      {title}. {messageOf(error)} <TextButton onClick={onRetry}>Try again</TextButton>
    </Notice>
  );
}

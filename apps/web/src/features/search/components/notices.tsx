import { ApiError } from '@engram/client';
import { listArtifacts, READY_POLL_MS, searchReady } from '@engram/contract/browser';
import { Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useCall, useTotal } from '../../../api/use-call.ts';
import { paths } from '../../../app/paths.ts';
import { TextButton } from '../../../components/buttons.tsx';
import { Notice } from '../../../components/notice.tsx';
import { messageOf } from '../../../components/notify.ts';
import { plural } from '../../../format/format.ts';

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

function describeFailure(error: unknown, online: boolean) {
  if (!online) {
    return {
      title: 'You are offline',
      text: 'Your question is still here. Ask again when you are online.',
      retry: true,
    };
  }
  if (error instanceof ApiError) {
    if (error.status === 402) {
      return { title: 'Your plan does not allow this question', text: error.message, retry: false };
    }
    if (error.status === 429) {
      return { title: 'Too many questions', text: messageOf(error), retry: true };
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
  onRetry: () => unknown;
  centered: boolean;
}

export const LoadFailure = ({ title, error, onRetry, centered }: LoadFailureProps) => (
  <Notice live="status" tone="quiet" icon={IconAlertTriangle} centered={centered}>
    {title}. {messageOf(error)} <TextButton onClick={() => void onRetry()}>Try again</TextButton>
  </Notice>
);

export function ReadinessNotice() {
  const { data: ready } = useCall(
    searchReady,
    {},
    {
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data === true ? false : READY_POLL_MS),
    },
  );
  const [waited, setWaited] = useState(false);
  if (ready === false && !waited) setWaited(true);
  const hasEnded = ready === true && waited;
  const failed = useTotal(
    listArtifacts,
    { query: { status: 'FAILED', archived: 'false', limit: 1 } },
    { enabled: hasEnded, staleTime: 0 },
  );

  if (ready === false) {
    return (
      <Notice live="status" icon={IconClock} tone="warning">
        Some files you uploaded are not ready for search yet. Click on link to check status of file{' '}
        <Link to={paths.files}>All Files</Link>
      </Notice>
    );
  }
  if (!hasEnded || failed === undefined) return null;
  if (failed > 0) {
    return (
      <Notice live="status" icon={IconAlertTriangle} tone="warning">
        {plural(failed, 'file')} could not be read. The others are ready to search. See what to do
        about each in <Link to={paths.files}>All Files</Link>
      </Notice>
    );
  }
  return (
    <Notice live="status" icon={IconCheck} tone="success">
      All files you uploaded are ready to search
    </Notice>
  );
}

import { IconAlertTriangle } from '@tabler/icons-react';
import { Notice } from '../../../components/notice.tsx';
import { messageOf } from '../../../components/notify.ts';
import { TextButton } from '../../../components/text-button.tsx';

interface LoadFailureProps {
  /** What failed, without a full stop. */
  title: string;
  error: unknown;
  onRetry: () => void;
  centered: boolean;
}

/** Says that something beside the question could not be loaded; asking goes on without it. */
export function LoadFailure({ title, error, onRetry, centered }: LoadFailureProps) {
  return (
    <Notice live="status" tone="quiet" icon={IconAlertTriangle} centered={centered}>
      {title}. {messageOf(error)} <TextButton onClick={onRetry}>Try again</TextButton>
    </Notice>
  );
}

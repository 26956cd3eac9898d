import { IconAlertTriangle } from '@tabler/icons-react';
import { messageOf } from '../../../components/notify.ts';
import { TextButton } from '../../../components/text-button.tsx';
import classes from './notices.module.css';

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
    <output className={classes.notice} data-tone="quiet" data-centered={centered || undefined}>
      <IconAlertTriangle size={17} stroke={1.8} aria-hidden="true" />
      <span>
        {title}. {messageOf(error)} <TextButton onClick={onRetry}>Try again</TextButton>
      </span>
    </output>
  );
}

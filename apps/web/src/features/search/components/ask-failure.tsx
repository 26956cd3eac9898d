import { IconAlertTriangle } from '@tabler/icons-react';
import { describeFailure } from '../failure.ts';
import { TextButton } from '../../../components/text-button.tsx';
import classes from './notices.module.css';

interface AskFailureProps {
  error: unknown;
  onRetry: () => void;
}

/** What went wrong with a question, and a way to ask it again. */
export function AskFailure({ error, onRetry }: AskFailureProps) {
  const { title, text, retry } = describeFailure(error, navigator.onLine);
  return (
    <div className={classes.notice} data-tone="danger" role="alert">
      <IconAlertTriangle size={17} stroke={1.8} aria-hidden="true" />
      <div>
        <strong>{title}</strong>
        <p className={classes.text}>{text}</p>
        {retry && (
          <TextButton mt={8} onClick={onRetry}>
            Ask again
          </TextButton>
        )}
      </div>
    </div>
  );
}

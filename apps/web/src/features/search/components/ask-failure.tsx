import { IconAlertTriangle } from '@tabler/icons-react';
import { describeFailure } from '../failure.ts';
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
          <button type="button" className={classes.action} onClick={onRetry}>
            Ask again
          </button>
        )}
      </div>
    </div>
  );
}

import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { messageOf } from './notify.ts';
import classes from './state.module.css';

interface ErrorStateProps {
  /** What failed, such as 'Your files could not be loaded.' */
  title: string;
  error: unknown;
  onRetry?: () => void;
}

/** Something could not be loaded: what, why, and a way to try again. */
export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
  return (
    <div className={classes.state} role="alert">
      <div className={classes.icon} data-error aria-hidden="true">
        <IconAlertTriangle size={22} stroke={1.6} />
      </div>
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.text}>{messageOf(error)}</p>
      {onRetry && (
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

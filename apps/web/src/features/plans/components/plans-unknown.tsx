import { Button } from '@mantine/core';
import { messageOf } from '../../../components/notify.ts';
import classes from './plans.module.css';

/** The server could not tell its plans: what is shown instead, and a way to ask again. */
export function PlansUnknown({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className={classes.unknown} role="alert">
      <p>
        <strong>The plans could not be loaded.</strong> {messageOf(error)} Shown are the monthly
        prices that Engram comes with; nothing can be bought until the server tells its own.
      </p>
      <Button variant="default" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

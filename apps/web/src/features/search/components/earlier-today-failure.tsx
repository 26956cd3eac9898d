import { IconAlertTriangle } from '@tabler/icons-react';
import { messageOf } from '../../../lib/notify.ts';
import classes from './notices.module.css';

interface EarlierTodayFailureProps {
  error: unknown;
  onRetry: () => void;
}

/** Says that today's searches could not be loaded; asking goes on without them. */
export function EarlierTodayFailure({ error, onRetry }: EarlierTodayFailureProps) {
  return (
    <output className={classes.notice} data-tone="quiet">
      <IconAlertTriangle size={17} stroke={1.8} aria-hidden="true" />
      <span>
        Error fetching search history. {messageOf(error)}{' '}
        <button type="button" className={classes.again} onClick={onRetry}>
          Try again
        </button>
      </span>
    </output>
  );
}

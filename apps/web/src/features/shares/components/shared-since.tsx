import { formatDateTime } from '../../../lib/format.ts';
import { useAppSettings } from '../../../lib/settings.ts';
import classes from './share-dialog.module.css';

/** Since when a link works. */
export function SharedSince({ date }: { date: string }) {
  const { timeZone, timeZoneLabel } = useAppSettings();
  return (
    <span className={classes.since}>
      Shared since{' '}
      <time dateTime={date}>
        {formatDateTime(date, timeZone)} {timeZoneLabel}
      </time>
    </span>
  );
}

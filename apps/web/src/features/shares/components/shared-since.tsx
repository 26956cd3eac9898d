import { formatDateTime } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import classes from './share-dialog.module.css';

/** Since when a link works. */
export function SharedSince({ date }: { date: string }) {
  const { timeZone, labelOf } = useTimeZone();
  return (
    <span className={classes.since}>
      Shared since{' '}
      <time dateTime={date}>
        {formatDateTime(date, timeZone)} {labelOf(date)}
      </time>
    </span>
  );
}

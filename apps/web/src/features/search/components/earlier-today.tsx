import type { HistoryEntry } from '@engram/contract';
import { formatTime, plural } from '../../../lib/format.ts';
import { useAppSettings } from '../../../lib/settings.ts';
import rowButton from '../../../components/row-button.module.css';
import classes from './earlier-today.module.css';

interface EarlierTodayProps {
  entries: readonly HistoryEntry[];
  /** The one whose answer is shown. */
  shownId: string | null;
  onShow: (id: string) => void;
}

/** Today's earlier searches; a click shows the answer again. */
export function EarlierToday({ entries, shownId, onShow }: EarlierTodayProps) {
  const { timeZone, timeZoneLabel } = useAppSettings();
  if (entries.length === 0) return null;
  return (
    <section aria-label="Earlier today">
      <h2 className={classes.heading}>Earlier today</h2>
      <ul className={classes.list}>
        {entries.map((entry) => (
          <li key={entry.id} className={classes.item}>
            <button
              type="button"
              className={`${rowButton.row} ${classes.entry}`}
              aria-current={entry.id === shownId || undefined}
              onClick={() => onShow(entry.id)}
            >
              <span className={classes.question}>{entry.searchText}</span>
              <span className={classes.facts}>
                {formatTime(entry.date, timeZone, timeZoneLabel)} ·{' '}
                {entry.citations.length > 0
                  ? plural(entry.citations.length, 'source')
                  : 'no sources'}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

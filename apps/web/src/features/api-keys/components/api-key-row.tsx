import type { ApiKey } from '@engram/contract';
import { Button } from '@mantine/core';
import { formatDateTime } from '../../../format/format.ts';
import { Tag } from '../../../components/tag.tsx';
import { useTimeZone } from '../../../format/time-zone.ts';
import { useNow } from '../../../browser/use-now.ts';
import classes from './api-key-row.module.css';

interface ApiKeyRowProps {
  apiKey: ApiKey;
  onRevoke: () => void;
}

/** One key, of which only the ends are known. */
export function ApiKeyRow({ apiKey, onRevoke }: ApiKeyRowProps) {
  const { name, createdDate, lastUsedDate, readOnly, expiresAt } = apiKey;
  return (
    <li className={classes.row}>
      <span className={classes.name}>{name}</span>
      <span className={classes.facts}>
        <code className={classes.masked}>{apiKey.apiKey}</code>
        {readOnly && <Tag>Read only</Tag>}
        {expiresAt !== null && <Expiry date={expiresAt} />}
      </span>
      <Moment label="Created" date={createdDate} />
      <Moment label="Last used" date={lastUsedDate} />
      <Button
        className={classes.revoke ?? ''}
        variant="light"
        color="red"
        size="sm"
        aria-label={`Revoke ${name}`}
        onClick={onRevoke}
      >
        Revoke
      </Button>
    </li>
  );
}

function Expiry({ date }: { date: string }) {
  const { timeZone, labelOf } = useTimeZone();
  const now = useNow();
  const isOver = Date.parse(date) <= now.getTime();
  return (
    <span className={classes.expiry} data-over={isOver || undefined}>
      {isOver ? 'Expired' : 'Expires'}{' '}
      <time dateTime={date}>
        {formatDateTime(date, timeZone)} {labelOf(date)}
      </time>
    </span>
  );
}

function Moment({ label, date }: { label: string; date: string | null }) {
  const { timeZone, labelOf } = useTimeZone();
  return (
    <span className={classes.moment} data-moment={label}>
      <span className={classes.label}>{label} </span>
      {date === null ? (
        'never'
      ) : (
        <time dateTime={date}>
          {formatDateTime(date, timeZone)} {labelOf(date)}
        </time>
      )}
    </span>
  );
}

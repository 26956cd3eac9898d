import type { ApiKey } from '@engram/contract';
import { Button, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { Row } from '../../../components/row.tsx';
import { formatDateTime } from '../../../format/format.ts';
import { Tag } from '../../../components/tag.tsx';
import { useNow } from '../../../browser/use-now.ts';

interface ApiKeyRowProps {
  apiKey: ApiKey;
  onRevoke: () => void;
}

/** One key, of which only the ends are known. */
export function ApiKeyRow({ apiKey, onRevoke }: ApiKeyRowProps) {
  const { name, createdDate, lastUsedDate, readOnly, expiresAt } = apiKey;
  return (
    <Row
      icon={IconKey}
      name={
        <>
          <bdi>{name}</bdi> {readOnly && <Tag>Read only</Tag>}
        </>
      }
      facts={[
        <>
          <code>{apiKey.apiKey}</code>
          {expiresAt !== null && <Expiry date={expiresAt} />}
        </>,
        <>
          <Moment label="Created" date={createdDate} />
          <Moment label="Last used" date={lastUsedDate} />
        </>,
      ]}
      action={
        <Button
          variant="light"
          color="red"
          size="sm"
          aria-label={`Revoke ${name}`}
          onClick={onRevoke}
        >
          Revoke
        </Button>
      }
    />
  );
}

function Expiry({ date }: { date: string }) {
  const now = useNow();
  const isOver = Date.parse(date) <= now.getTime();
  return (
    <Text span inherit {...(isOver ? { c: 'red', fw: 600 } : {})}>
      {isOver ? 'Expired' : 'Expires'} <time dateTime={date}>{formatDateTime(date)}</time>
    </Text>
  );
}

function Moment({ label, date }: { label: string; date: string | null }) {
  return (
    <span data-moment={label}>
      {label} {date === null ? 'never' : <time dateTime={date}>{formatDateTime(date)}</time>}
    </span>
  );
}

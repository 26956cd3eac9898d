import { listSkippedMessages } from '@engram/contract/browser';
import { Text } from '@mantine/core';
import { useCall } from '../../../api/use-call.ts';
import { CallList, Row, Rows } from '../../../components/lists.tsx';
import { formatDateTime } from '../../../format/format.ts';

export function SkippedMessages({ mailboxId }: { mailboxId: string }) {
  const call = useCall(listSkippedMessages, { params: { id: mailboxId } }, { staleTime: 0 });
  return (
    <CallList
      call={call}
      what="the messages"
      heights={[56, 56]}
      empty={<Text c="dimmed">All messages were stored.</Text>}
    >
      {(messages) => (
        <Rows label="Messages that were not stored">
          {messages.map(({ id, subject, sentAt, reason }) => (
            <Row
              key={id}
              name={<bdi>{subject || 'No subject'}</bdi>}
              facts={[
                sentAt && (
                  <time key="sent" dateTime={sentAt}>
                    {formatDateTime(sentAt)}
                  </time>
                ),
                reason,
              ].filter(Boolean)}
            />
          ))}
        </Rows>
      )}
    </CallList>
  );
}

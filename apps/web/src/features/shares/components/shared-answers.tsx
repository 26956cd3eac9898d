import type { Share } from '@engram/contract';
import { listShares } from '@engram/contract/browser';
import { Anchor, Button, Group, Skeleton, Text } from '@mantine/core';
import { IconCopy, IconLink } from '@tabler/icons-react';
import { usePages } from '../../../api/use-pages.ts';
import { useDeleteShare } from '../api.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { Row, Rows } from '../../../components/row.tsx';
import { copyText } from '../../../browser/copy-text.ts';
import { SharedSince } from './shared-since.tsx';

interface SharedAnswersProps {
  opened: boolean;
  onClose: () => void;
}

/** All answers that others can read by a link, each with a way to stop that. */
export function SharedAnswers({ opened, onClose }: SharedAnswersProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Shared answers" size={620}>
      <SharedList />
    </Dialog>
  );
}

function SharedList() {
  const {
    rows: shares,
    error,
    refetch,
    hasMore,
    isLoadingMore,
    loadMore,
  } = usePages(
    listShares,
    {},
    // Questions are deleted elsewhere, and their links with them.
    { pageSize: 50, staleTime: 0 },
  );
  if (!shares && !error) {
    return (
      <section aria-busy="true" aria-label="Loading your shared answers">
        {['a', 'b', 'c'].map((key) => (
          <Skeleton key={key} height={48} mb={12} />
        ))}
      </section>
    );
  }
  if (!shares) {
    return (
      <ErrorState title="Your shared answers could not be loaded" error={error} onRetry={refetch} />
    );
  }
  if (shares.length === 0) {
    return (
      <EmptyState
        icon={<IconLink size={24} stroke={1.6} />}
        title="Nothing is shared"
        text="Choose Share on an answer to make a link to it. The links that work are listed here."
      />
    );
  }
  return (
    <>
      <Text inherit mb={8} c="dimmed">
        Anyone with one of these links can read its question and answer. Your files stay private.
      </Text>
      <Rows label="Shared answers">
        {shares.map((share) => (
          <SharedRow key={share.id} share={share} />
        ))}
      </Rows>
      {hasMore && (
        <Button variant="default" fullWidth mt={12} loading={isLoadingMore} onClick={loadMore}>
          Show more
        </Button>
      )}
    </>
  );
}

function SharedRow({ share }: { share: Share }) {
  const { id, question, url, createdDate } = share;
  const revoke = useDeleteShare();
  return (
    <Row
      name={
        <Anchor
          lineClamp={2}
          dir="auto"
          inherit
          c="inherit"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
        >
          {question}
        </Anchor>
      }
      facts={[<SharedSince key="since" date={createdDate} />]}
      action={
        <Group flex="none" gap={8} wrap="nowrap">
          <IconButton
            label={`Copy link: ${question}`}
            tooltip="Copy link"
            icon={IconCopy}
            iconSize={17}
            variant="default"
            size={36}
            onClick={() =>
              void copyText(url, { done: 'The link is copied.', failed: 'The link was not copied' })
            }
          />
          <Button
            variant="light"
            color="red"
            size="sm"
            aria-label={`Stop sharing: ${question}`}
            loading={revoke.isPending}
            onClick={() => revoke.mutate({ params: { id } })}
          >
            Stop sharing
          </Button>
        </Group>
      }
    />
  );
}

import type { Share } from '@engram/contract';
import { listShares } from '@engram/contract/browser';
import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconCopy, IconLink } from '@tabler/icons-react';
import { usePages } from '../../../api/use-pages.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { PagedList, Row, Rows } from '../../../components/lists.tsx';
import { useDeleteShare } from '../api.ts';
import { copyLink, SharedSince } from './share-dialog.tsx';

export default function SharedAnswers({
  opened,
  onClose,
}: {
  opened: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Shared answers" size={620}>
      <SharedList />
    </Dialog>
  );
}

function SharedList() {
  // Never cached, as deleting a question elsewhere deletes its link.
  const shares = usePages(listShares, {}, { pageSize: 50, staleTime: 0 });
  return (
    <PagedList
      pages={shares}
      nouns={['shared answer', 'shared answers']}
      empty={
        <EmptyState
          icon={<IconLink size={24} stroke={1.6} />}
          title="Nothing is shared"
          text="Choose Share on an answer to create a link to it. Active links are listed here."
        />
      }
    >
      {(rows) => (
        <>
          <Text inherit mb={8} c="dimmed">
            Anyone with one of these links can read its question and answer. Your files stay
            private.
          </Text>
          <Rows label="Shared answers">
            {rows.map((share) => (
              <SharedRow key={share.id} share={share} />
            ))}
          </Rows>
        </>
      )}
    </PagedList>
  );
}

function SharedRow({ share }: { share: Share }) {
  const { id, question, url } = share;
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
      facts={[<SharedSince key="since" share={share} />]}
      action={
        <Group flex="none" gap={8} wrap="nowrap">
          <IconButton
            label={`Copy link: ${question}`}
            tooltip="Copy link"
            icon={IconCopy}
            iconSize={17}
            variant="default"
            size={36}
            onClick={() => void copyLink(share)}
          />
          <Button
            variant="light"
            color="red"
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

import type { Share } from '@engram/contract';
import { createShare, listShares } from '@engram/contract/browser';
import { Button, Text } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useAction } from '../../../api/use-action.ts';
import { CopyField } from '../../../components/copy-field.tsx';
import { Dialog, DialogFoot } from '../../../components/dialog.tsx';
import { copyText, notifyError } from '../../../components/notify.ts';
import { formatDateTime } from '../../../format/format.ts';
import { useDeleteShare } from '../api.ts';

export const copyLink = ({ url }: Share): Promise<boolean> =>
  copyText(url, { done: 'The link is copied.', failed: 'The link was not copied' });

function hasShareSheet(): boolean {
  if (typeof navigator.share !== 'function') return false;
  // A browser without `canShare` accepts links.
  return navigator.canShare?.({ title: document.title, url: window.location.href }) ?? true;
}

/** Opens the device's share sheet; false if it is missing, closed or refused. */
async function openShareSheet({ question, url }: Share): Promise<boolean> {
  if (!hasShareSheet()) return false;
  try {
    await navigator.share({ title: question, url });
    return true;
  } catch {
    // Browsers refuse a sheet that opens too long after the click.
    return false;
  }
}

export const SharedSince = ({ share: { createdDate } }: { share: Share }) => (
  <Text span size="sm" c="dimmed">
    Shared since <time dateTime={createdDate}>{formatDateTime(createdDate)}</time>
  </Text>
);

interface ShareDialogProps {
  historyId: string;
  question: string;
  opened: boolean;
  onClose: () => void;
}

export default function ShareDialog({ historyId, question, opened, onClose }: ShareDialogProps) {
  const create = useAction(createShare, { invalidates: [listShares] });
  // Undefined until the user has confirmed; null once the link is revoked.
  const [share, setShare] = useState<Share | null>();
  const publish = (): void =>
    create.mutate(
      { body: { historyId } },
      {
        onSuccess: async (created) => {
          if (await openShareSheet(created)) onClose();
          else setShare(created);
        },
        onError: (error) => notifyError('The answer was not shared', error),
      },
    );
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      // Asked again each time, as the link may have been revoked elsewhere.
      onExitTransitionEnd={() => setShare(undefined)}
      title="Share this answer"
      size={480}
    >
      <Text lineClamp={2} dir="auto" mb={12} fw={600}>
        {question}
      </Text>
      {share === undefined && (
        <>
          <Text mb={16} c="dimmed">
            This creates a public link. Anyone who has it can read this question, its answer and the
            names of its sources, without signing in. Your files stay private, and you can stop
            sharing at any time.
          </Text>
          <DialogFoot>
            <Button variant="default" disabled={create.isPending} data-autofocus onClick={onClose}>
              Cancel
            </Button>
            <Button loading={create.isPending} onClick={publish}>
              {hasShareSheet() ? 'Create link and share' : 'Create link'}
            </Button>
          </DialogFoot>
        </>
      )}
      {share && <Shared share={share} onStopped={() => setShare(null)} />}
      {share === null && <Stopped isPending={create.isPending} onShare={publish} />}
    </Dialog>
  );
}

function Shared({ share, onStopped }: { share: Share; onStopped: () => void }) {
  const revoke = useDeleteShare();
  const copy = useRef<HTMLButtonElement>(null);
  useEffect(() => copy.current?.focus(), []);
  return (
    <>
      <Text mb={16} c="dimmed">
        Anyone with this link can read this question and its answer. Your files stay private.
      </Text>
      <CopyField
        label="Link"
        value={share.url}
        copy="Copy link"
        copyRef={copy}
        onCopy={() => void copyLink(share)}
      />
      <DialogFoot words={<SharedSince share={share} />}>
        <Button
          variant="light"
          color="red"
          loading={revoke.isPending}
          leftSection={<IconLinkOff size={16} stroke={1.8} />}
          onClick={() => revoke.mutate({ params: { id: share.id } }, { onSuccess: onStopped })}
        >
          Stop sharing
        </Button>
      </DialogFoot>
    </>
  );
}

function Stopped({ isPending, onShare }: { isPending: boolean; onShare: () => void }) {
  const shareButton = useRef<HTMLButtonElement>(null);
  // The button that had the focus was removed.
  useEffect(() => shareButton.current?.focus(), []);
  return (
    <>
      <Text component="output" display="block" mb={16} c="dimmed">
        This answer is no longer shared. The link no longer shows it.
      </Text>
      <DialogFoot>
        <Button ref={shareButton} variant="default" loading={isPending} onClick={onShare}>
          Share with a new link
        </Button>
      </DialogFoot>
    </>
  );
}

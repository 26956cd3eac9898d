import type { Share } from '@engram/contract';
import { createShare, listShares } from '@engram/contract/browser';
import { Button, Text } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useAction } from '../../../api/use-action.ts';
import { useDeleteShare } from '../api.ts';
import { CopyField } from '../../../components/copy-field.tsx';
import { copyText } from '../../../browser/copy-text.ts';
import { Dialog, DialogFoot } from '../../../components/dialog.tsx';
import { notifyError } from '../../../components/notify.ts';
import { handOver, hasShareSheet } from '../share-sheet.ts';
import { SharedSince } from './shared-since.tsx';

interface ShareDialogProps {
  /** The answer's entry in the history. */
  historyId: string;
  question: string;
  opened: boolean;
  onClose: () => void;
}

/** Asks before an answer gets a public link; then has the link, to be copied or revoked. */
export function ShareDialog({ historyId, question, opened, onClose }: ShareDialogProps) {
  const create = useAction(createShare, { invalidates: [listShares] });
  // Undefined until somebody has said yes; null once the link is revoked.
  const [share, setShare] = useState<Share | null>();
  const publish = (): void =>
    create.mutate(
      { body: { historyId } },
      {
        onSuccess: async (made) => {
          if (await handOver(made)) onClose();
          else setShare(made);
        },
        onError: (error) => notifyError('The answer was not shared', error),
      },
    );
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      // Asked again each time: the link may have been revoked elsewhere meanwhile.
      onExitTransitionEnd={() => setShare(undefined)}
      title="Share this answer"
      size={480}
    >
      <Text lineClamp={2} dir="auto" mb={12} fw={600}>
        {question}
      </Text>
      {share === undefined && <Ask pending={create.isPending} onNo={onClose} onYes={publish} />}
      {share && <Shared share={share} onStopped={() => setShare(null)} />}
      {share === null && <Stopped pending={create.isPending} onShare={publish} />}
    </Dialog>
  );
}

interface AskProps {
  pending: boolean;
  onNo: () => void;
  onYes: () => void;
}

function Ask({ pending, onNo, onYes }: AskProps) {
  return (
    <>
      <Text mb={16} c="dimmed">
        This makes a public link. Anyone who has it can read this question, its answer and the names
        of its sources, without signing in. Your files stay private, and you can stop sharing at any
        time.
      </Text>
      <DialogFoot>
        <Button variant="default" disabled={pending} data-autofocus onClick={onNo}>
          Cancel
        </Button>
        <Button loading={pending} onClick={onYes}>
          {hasShareSheet() ? 'Create link and share' : 'Create link'}
        </Button>
      </DialogFoot>
    </>
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
        onCopy={() =>
          void copyText(share.url, {
            done: 'The link is copied.',
            failed: 'The link was not copied',
          })
        }
      />
      <DialogFoot words={<SharedSince date={share.createdDate} />}>
        <Button
          variant="light"
          color="red"
          size="sm"
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

interface StoppedProps {
  pending: boolean;
  onShare: () => void;
}

function Stopped({ pending, onShare }: StoppedProps) {
  const again = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone.
  useEffect(() => again.current?.focus(), []);
  return (
    <>
      <Text component="output" display="block" mb={16} c="dimmed">
        This answer is not shared any more. The link that you had shows nothing from now on.
      </Text>
      <DialogFoot>
        <Button ref={again} variant="default" loading={pending} onClick={onShare}>
          Share with a new link
        </Button>
      </DialogFoot>
    </>
  );
}

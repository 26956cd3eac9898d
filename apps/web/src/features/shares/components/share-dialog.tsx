import type { Share } from '@engram/contract';
import { Button, Modal, TextInput } from '@mantine/core';
import { IconCopy, IconLinkOff } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import clamped from '../../../components/clamped.module.css';
import { copyText } from '../../../lib/copy-text.ts';
import { notifyError } from '../../../lib/notify.ts';
import { useOpened } from '../../../lib/use-opened.ts';
import { useCreateShare } from '../api/create-share.ts';
import { useDeleteShare } from '../api/delete-share.ts';
import classes from './share-dialog.module.css';
import { SharedSince } from './shared-since.tsx';

interface ShareDialogProps {
  share: Share;
  opened: boolean;
  onClose: () => void;
}

/** The link to an answer: to be copied, or revoked. */
export function ShareDialog({ share, opened, onClose }: ShareDialogProps) {
  // What happened to the link since it was handed in; null once it is revoked.
  const [current, setCurrent] = useState<Share | null>(share);
  const [given, setGiven] = useState(share);
  if (given !== share) {
    setGiven(share);
    setCurrent(share);
  }
  return (
    <Modal opened={useOpened(opened)} onClose={onClose} title="Share this answer" size={480}>
      <p className={`${clamped.lines} ${classes.question}`}>{share.question}</p>
      {current ? (
        <Shared share={current} onStopped={() => setCurrent(null)} />
      ) : (
        <Stopped historyId={share.historyId} onShared={setCurrent} />
      )}
    </Modal>
  );
}

function Shared({ share, onStopped }: { share: Share; onStopped: () => void }) {
  const revoke = useDeleteShare();
  return (
    <>
      <p className={classes.shows}>
        Anyone with this link can read this question and its answer. Your files stay private.
      </p>
      <div className={classes.link}>
        <TextInput
          className={classes.address ?? ''}
          aria-label="Link"
          value={share.url}
          readOnly
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button
          className={classes.copy ?? ''}
          data-autofocus
          leftSection={<IconCopy size={16} stroke={1.8} />}
          onClick={() =>
            void copyText(share.url, {
              done: 'The link is copied.',
              failed: 'The link was not copied',
            })
          }
        >
          Copy link
        </Button>
      </div>
      <div className={classes.foot}>
        <SharedSince date={share.createdDate} />
        <Button
          variant="light"
          color="red"
          size="sm"
          loading={revoke.isPending}
          leftSection={<IconLinkOff size={16} stroke={1.8} />}
          onClick={() => revoke.mutate(share.id, { onSuccess: onStopped })}
        >
          Stop sharing
        </Button>
      </div>
    </>
  );
}

interface StoppedProps {
  historyId: string;
  onShared: (share: Share) => void;
}

function Stopped({ historyId, onShared }: StoppedProps) {
  const create = useCreateShare();
  const again = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone.
  useEffect(() => again.current?.focus(), []);
  return (
    <>
      <output className={classes.shows}>
        This answer is not shared any more. The link that you had shows nothing from now on.
      </output>
      <div className={classes.foot} data-end>
        <Button
          ref={again}
          variant="default"
          loading={create.isPending}
          onClick={() =>
            create.mutate(historyId, {
              onSuccess: onShared,
              onError: (error) => notifyError('The answer was not shared', error),
            })
          }
        >
          Share with a new link
        </Button>
      </div>
    </>
  );
}

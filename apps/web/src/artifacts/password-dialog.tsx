import { ApiError } from '@engram/client';
import type { Artifact } from '@engram/contract';
import { listFilePasswords, unlockArtifact } from '@engram/contract/browser';
import { Button, Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { FailureNote } from '../components/notice.tsx';
import { notifySuccess } from '../components/notify.ts';
import { PasswordForm } from '../components/password-form.tsx';
import { shortenMiddle } from '../format/format.ts';
import { recordUpload } from './actions.ts';

interface PasswordDialogProps {
  file: Pick<Artifact, 'artifactId' | 'artifactFileName'>;
  opened: boolean;
  onClose: () => void;
}

const isWrong = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 422;

/** Opens a file with its password, and all others that have the same one. */
export default function PasswordDialog({ file, opened, onClose }: PasswordDialogProps) {
  const { artifactId, artifactFileName: name } = file;
  const [remember, setRemember] = useState(false);
  const unlock = useAction(unlockArtifact, {
    // The password must not stay in the cache.
    gcTime: 0,
    onSuccess: ({ opened: { length } }, _input, _before, { client }) => {
      recordUpload(client);
      onClose();
      notifySuccess(
        length === 1
          ? 'The password fits: the file is being read.'
          : `${length} files opened: they are being read.`,
      );
    },
    invalidates: ['artifacts', listFilePasswords],
  });
  const { error, isPending } = unlock;
  const close = (): void => {
    unlock.reset();
    onClose();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title="Enter the password"
      size={440}
      locked={isPending}
    >
      <Text mb={16}>
        <Text span component="bdi" fw={600} title={name} style={{ overflowWrap: 'anywhere' }}>
          {shortenMiddle(name, 60)}
        </Text>{' '}
        is protected. The password is also tried on your other files that wait for one.
      </Text>
      <PasswordForm
        error={isWrong(error) ? error.message : null}
        onSubmit={(password) =>
          unlock.mutate({ params: { artifactId }, body: { password, remember } })
        }
      >
        <Checkbox
          label="Remember for my other files"
          description="It is then stored encrypted, and listed under Security. Otherwise it is deleted once the files are read."
          checked={remember}
          onChange={(event) => setRemember(event.currentTarget.checked)}
        />
        {!isWrong(error) && <FailureNote title="The file was not opened." error={error} />}
        <DialogFoot>
          <Button variant="default" disabled={isPending} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            Open
          </Button>
        </DialogFoot>
      </PasswordForm>
    </Dialog>
  );
}

import type { Profile } from '@engram/contract';
import { Box, Button, FileButton, Stack, Text } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Avatar } from '../../../components/avatar.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { FailureNote } from '../../../components/failure-note.tsx';
import { middleCut } from '../../../format/format.ts';
import { notifySuccess } from '../../../components/notify.ts';
import { Progress } from '../../../components/progress.tsx';
import { useUploadPhoto } from '../api.ts';
import { PHOTO_TYPES, refusePhoto } from '../photo-rules.ts';

interface PhotoModalProps {
  profile: Profile;
  opened: boolean;
  onClose: () => void;
}

/** A picture with the address that the browser shows it at. */
interface Chosen {
  file: File;
  url: string;
}

/** Chooses a photo, shows it as it will look, and sends it. */
export function PhotoModal({ profile, opened, onClose }: PhotoModalProps) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const upload = useUploadPhoto();
  useEffect(() => () => void (chosen && URL.revokeObjectURL(chosen.url)), [chosen]);

  const choose = (file: File | null): void => {
    if (!file) return;
    const refused = refusePhoto(file);
    upload.reset();
    setRefusal(refused);
    setChosen(refused ? null : { file, url: URL.createObjectURL(file) });
  };
  const close = (): void => {
    upload.reset();
    setRefusal(null);
    setChosen(null);
    onClose();
  };
  const send = (): void => {
    setRefusal(refusePhoto(chosen?.file ?? null));
    if (!chosen) return;
    upload.mutate(chosen.file, {
      onSuccess() {
        notifySuccess('Profile updated successfully!');
        close();
      },
    });
  };

  return (
    <Dialog
      opened={opened}
      onClose={close}
      title="Profile photo"
      size={400}
      locked={upload.isPending}
      actions={
        <>
          <Button variant="default" disabled={upload.isPending} onClick={close}>
            Cancel
          </Button>
          <Button loading={upload.isPending} onClick={send}>
            Upload
          </Button>
        </>
      }
    >
      <Stack align="center">
        {chosen ? (
          <Box
            component="img"
            w={128}
            h={128}
            bdrs="50%"
            style={{ objectFit: 'cover' }}
            src={chosen.url}
            alt="How you will be shown"
          />
        ) : (
          <Avatar profile={profile} size={128} />
        )}
        <FileButton
          accept={PHOTO_TYPES.join(',')}
          disabled={upload.isPending}
          inputProps={{ 'aria-label': 'Photo' }}
          onChange={choose}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<IconPhoto size={17} stroke={1.7} />}
              disabled={upload.isPending}
            >
              {chosen ? 'Choose another' : 'Choose a photo'}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed" ta="center">
          {chosen
            ? middleCut(chosen.file.name)
            : 'A JPG or PNG of at most 2 MB. A square is cut from its middle.'}
        </Text>
        {upload.isPending && <Progress w="100%" share={upload.sent} label="Photo being uploaded" />}
      </Stack>
      {refusal && (
        <Text mt={12} size="sm" ta="center" c="red" role="alert">
          {refusal}
        </Text>
      )}
      {upload.isError && <FailureNote title="Error uploading image." error={upload.error} />}
    </Dialog>
  );
}

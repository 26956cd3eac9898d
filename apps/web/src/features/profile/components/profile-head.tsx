import type { Profile } from '@engram/contract';
import { deleteProfileImage, PHOTO_LIMIT } from '@engram/contract/browser';
import { Box, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useAction } from '../../../api/use-action.ts';
import { Avatar } from '../../../components/avatar.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { ErrorText, FailureNote } from '../../../components/notice.tsx';
import { notifyError, notifySuccess } from '../../../components/notify.ts';
import { Progress } from '../../../components/progress.tsx';
import { formatDay, shortenMiddle } from '../../../format/format.ts';
import { profileKey, useUploadPhoto } from '../api.ts';

const PHOTO_TYPES = ['image/jpeg', 'image/png'];

function refusePhoto(file: File): string | null {
  if (!PHOTO_TYPES.includes(file.type)) {
    return 'Invalid file format. Please select a JPG or PNG image.';
  }
  return file.size > PHOTO_LIMIT ? 'File size exceeds 2MB. Please select a smaller image.' : null;
}

export function ProfileHead({ profile }: { profile: Profile }) {
  const [isChoosing, setChoosing] = useState(false);
  const remove = useAction(deleteProfileImage, {
    onSuccess: (saved, _input, _before, { client }) => {
      client.setQueryData(profileKey, saved);
      notifySuccess('Profile updated successfully!');
    },
    onError: (error) => notifyError('The photo was not removed', error),
  });
  const { name, email, createdDate, profileImage } = profile;
  return (
    <Group gap={16}>
      <Avatar profile={profile} size={72} />
      <Box flex="1 1 200px" miw={0}>
        <Text fz={18} fw={650} lh={1.35} lts="-0.015em">
          {name ?? email}
        </Text>
        <Group component="p" mt={2} c="dimmed" fz="sm" gap="0 16px" align="stretch">
          {name && <span>{email}</span>}
          <span>Member since {formatDay(createdDate)}</span>
        </Group>
      </Box>
      <Group gap={8} align="stretch">
        <Button variant="default" onClick={() => setChoosing(true)}>
          {profileImage ? 'Change photo' : 'Add a photo'}
        </Button>
        {profileImage && (
          <Button
            variant="subtle"
            color="gray"
            loading={remove.isPending}
            onClick={() => remove.mutate({})}
          >
            Remove photo
          </Button>
        )}
      </Group>
      <PhotoModal profile={profile} opened={isChoosing} onClose={() => setChoosing(false)} />
    </Group>
  );
}

interface PhotoModalProps {
  profile: Profile;
  opened: boolean;
  onClose: () => void;
}

function PhotoModal({ profile, opened, onClose }: PhotoModalProps) {
  const [chosen, setChosen] = useState<{ file: File; url: string } | null>(null);
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
    if (!chosen) return setRefusal('Please select an image to upload.');
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
            alt="Preview of your photo"
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
            ? shortenMiddle(chosen.file.name)
            : 'A JPG or PNG of up to 2 MB. It is cropped to a square.'}
        </Text>
        {upload.isPending && <Progress w="100%" share={upload.sent} label="Photo being uploaded" />}
      </Stack>
      <ErrorText mt={12} ta="center">
        {refusal}
      </ErrorText>
      <FailureNote title="Error uploading image." error={upload.error} />
    </Dialog>
  );
}

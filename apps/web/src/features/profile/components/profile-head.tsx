import type { Profile } from '@engram/contract';
import { deleteProfileImage } from '@engram/contract/browser';
import { Box, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { profileKey } from '../api.ts';
import { useAction } from '../../../api/use-action.ts';
import { notifyError, notifySuccess } from '../../../components/notify.ts';
import { Avatar } from '../../../components/avatar.tsx';
import { formatDay } from '../../../format/format.ts';
import { PhotoModal } from './photo-modal.tsx';

/** Who this is, and their photo. */
export function ProfileHead({ profile }: { profile: Profile }) {
  const [choosing, setChoosing] = useState(false);
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
          <span>Here since {formatDay(createdDate)}</span>
        </Group>
      </Box>
      <Group gap={8} align="stretch">
        <Button variant="default" size="sm" onClick={() => setChoosing(true)}>
          {profileImage ? 'Change photo' : 'Add a photo'}
        </Button>
        {profileImage && (
          <Button
            variant="subtle"
            color="gray"
            size="sm"
            loading={remove.isPending}
            onClick={() => remove.mutate({})}
          >
            Remove photo
          </Button>
        )}
      </Group>
      <PhotoModal profile={profile} opened={choosing} onClose={() => setChoosing(false)} />
    </Group>
  );
}

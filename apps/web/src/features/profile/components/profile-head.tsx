import type { Profile } from '@engram/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Avatar } from '../../../components/avatar.tsx';
import { formatDay } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import { useDeletePhoto } from '../api/delete-photo.ts';
import { PhotoModal } from './photo-modal.tsx';
import classes from './profile.module.css';

/** Who this is, and their photo. */
export function ProfileHead({ profile }: { profile: Profile }) {
  const { timeZone } = useTimeZone();
  const [choosing, setChoosing] = useState(false);
  const remove = useDeletePhoto();
  const { name, email, createdDate, profileImage } = profile;
  return (
    <div className={classes.head}>
      <Avatar profile={profile} size={72} />
      <div className={classes.who}>
        <p className={classes.name}>{name ?? email}</p>
        <p className={classes.facts}>
          {name && <span>{email}</span>}
          <span>Here since {formatDay(createdDate, timeZone)}</span>
        </p>
      </div>
      <div className={classes.photoActions}>
        <Button variant="default" size="sm" onClick={() => setChoosing(true)}>
          {profileImage ? 'Change photo' : 'Add a photo'}
        </Button>
        {profileImage && (
          <Button
            variant="subtle"
            color="gray"
            size="sm"
            loading={remove.isPending}
            onClick={() => remove.mutate()}
          >
            Remove photo
          </Button>
        )}
      </div>
      <PhotoModal profile={profile} opened={choosing} onClose={() => setChoosing(false)} />
    </div>
  );
}

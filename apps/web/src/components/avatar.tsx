import type { Profile } from '@engram/contract';
import { useState } from 'react';
import { initialsOf } from '../session/account.ts';
import classes from './avatar.module.css';

interface AvatarProps {
  profile: Profile;
  size: number;
}

/** The person's picture, or their initials where there is none that can be shown. */
export function Avatar({ profile, size }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const { profileImage } = profile;
  const style = { width: size, height: size, fontSize: Math.round(size * 0.4) };
  if (profileImage && profileImage !== broken) {
    return (
      <img
        className={classes.avatar}
        src={`data:image/jpeg;base64,${profileImage}`}
        alt=""
        style={style}
        onError={() => setBroken(profileImage)}
      />
    );
  }
  return (
    <span className={classes.avatar} style={style} aria-hidden="true">
      {initialsOf(profile)}
    </span>
  );
}

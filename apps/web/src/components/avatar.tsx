import type { Profile } from '@engram/contract';
import { Center } from '@mantine/core';
import { useState } from 'react';
import { initialsOf } from '../session/account.ts';

export function Avatar({ profile, size }: { profile: Profile; size: number }) {
  const [broken, setBroken] = useState<string | null>(null);
  const { profileImage } = profile;
  const round = { w: size, h: size, flex: 'none', bdrs: '50%' } as const;
  if (profileImage && profileImage !== broken) {
    return (
      <Center
        component="img"
        {...round}
        src={`data:image/jpeg;base64,${profileImage}`}
        alt=""
        style={{ objectFit: 'cover' }}
        onError={() => setBroken(profileImage)}
      />
    );
  }
  return (
    <Center
      component="span"
      {...round}
      fz={Math.round(size * 0.4)}
      fw={650}
      bg="var(--eg-accent-soft)"
      c="var(--eg-accent)"
      aria-hidden="true"
    >
      {initialsOf(profile)}
    </Center>
  );
}

import type { Artifact } from '@engram/contract';
import { Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';
import { lazyDialog } from '../components/lazy-part.tsx';

// Few files have a password.
const PasswordDialog = lazyDialog(() => import('./password-dialog.tsx'));

type UnlockButtonProps = ButtonProps & {
  file: Pick<Artifact, 'artifactId' | 'artifactFileName'>;
};

/** Asks for the password of a file. */
export function UnlockButton({ file, ...button }: UnlockButtonProps) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        {...button}
        aria-label={`Unlock ${file.artifactFileName}`}
        onClick={() => setOpened(true)}
      >
        Unlock
      </Button>
      <PasswordDialog file={file} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}

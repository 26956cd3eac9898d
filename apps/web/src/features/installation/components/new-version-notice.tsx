import { Button } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { isNewVersionReady, onNewVersion, reloadIntoNewVersion } from '../register.ts';
import { AppNotice } from './app-notice.tsx';

/** Offers a new version; when to go over to it is the person's choice. */
export function NewVersionNotice() {
  const isReady = useSyncExternalStore(onNewVersion, isNewVersionReady);
  if (!isReady) return null;
  return (
    <AppNotice
      icon={IconSparkles}
      actions={
        <Button size="compact-md" variant="subtle" onClick={reloadIntoNewVersion}>
          Reload
        </Button>
      }
    >
      A new version of Engram is ready.
    </AppNotice>
  );
}

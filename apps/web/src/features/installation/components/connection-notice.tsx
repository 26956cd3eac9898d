import { Button } from '@mantine/core';
import { IconPlugConnectedX, IconWifiOff } from '@tabler/icons-react';
import { useConnection } from '../use-connection.ts';
import { AppNotice } from './app-notice.tsx';

/** Says that there is no network, or no server behind it. */
export function ConnectionNotice() {
  const { connection, retry } = useConnection();
  if (connection === 'offline') {
    return <AppNotice icon={IconWifiOff}>You are offline. What you see stays.</AppNotice>;
  }
  if (connection === 'unreachable') {
    return (
      <AppNotice
        icon={IconPlugConnectedX}
        actions={
          <Button size="compact-md" variant="subtle" onClick={retry}>
            Try again
          </Button>
        }
      >
        The server cannot be reached.
      </AppNotice>
    );
  }
  return null;
}

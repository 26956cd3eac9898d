import { Button } from '@mantine/core';
import { IconPlugConnectedX, IconWifiOff } from '@tabler/icons-react';
import { useConnection } from '../use-connection.ts';
import { Notice } from './notice.tsx';

/** Says that there is no network, or no server behind it. */
export function ConnectionNotice() {
  const { connection, retry } = useConnection();
  if (connection === 'offline') {
    return <Notice icon={IconWifiOff}>You are offline. What you see stays.</Notice>;
  }
  if (connection === 'unreachable') {
    return (
      <Notice
        icon={IconPlugConnectedX}
        actions={
          <Button size="compact-md" variant="subtle" onClick={retry}>
            Try again
          </Button>
        }
      >
        The server cannot be reached.
      </Notice>
    );
  }
  return null;
}

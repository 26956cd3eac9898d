import { Stack } from '@mantine/core';
import { useEffect } from 'react';
import {
  ConnectionNotice,
  NewVersionNotice,
  WaitingShareNotice,
} from '../features/installation/components/notices.tsx';
import { registerServiceWorker } from '../features/installation/register.ts';
import classes from './installation.module.css';

/** Registers the service worker, and shows the notices of connection and updates. */
export function Installation() {
  useEffect(() => {
    if (import.meta.env.PROD) void registerServiceWorker();
  }, []);
  return (
    <Stack
      component="output"
      className={classes.notices}
      align="center"
      gap={8}
      px={16}
      pb="calc(16px + env(safe-area-inset-bottom))"
      data-screen-only
    >
      <ConnectionNotice />
      <WaitingShareNotice />
      <NewVersionNotice />
    </Stack>
  );
}

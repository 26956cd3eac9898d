import { useEffect } from 'react';
import { ConnectionNotice } from '../features/installation/components/connection-notice.tsx';
import { NewVersionNotice } from '../features/installation/components/new-version-notice.tsx';
import { WaitingShareNotice } from '../features/installation/components/waiting-share-notice.tsx';
import { registerServiceWorker } from '../features/installation/register.ts';
import classes from './installation.module.css';

/** What makes an installed app of the pages: its worker, and what is said about connection and versions. */
export function Installation() {
  useEffect(() => {
    if (import.meta.env.PROD) void registerServiceWorker();
  }, []);
  return (
    <output className={classes.notices}>
      <ConnectionNotice />
      <WaitingShareNotice />
      <NewVersionNotice />
    </output>
  );
}

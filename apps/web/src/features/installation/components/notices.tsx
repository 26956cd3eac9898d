import { Button, Group, Stack, Text } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconInbox, IconPlugConnectedX, IconSparkles, IconWifiOff } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { useStore } from '../../../browser/store.ts';
import { useKnownProfile } from '../../../session/account.ts';
import { deleteUnsentFiles } from '../../../session/unsent-databases.ts';
import { useSignedIn } from '../../../session/session.ts';
import { newVersion, registerServiceWorker, reloadIntoNewVersion } from '../register.ts';
import { hasSharedItems } from '../share-inbox.ts';
import classes from './notices.module.css';

export default function Installation() {
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

interface NoticeProps {
  icon: Icon;
  children: ReactNode;
  buttons?: ReactNode;
}

const Notice = ({ icon: NoticeIcon, children, buttons }: NoticeProps) => (
  <div className={classes.notice}>
    <NoticeIcon className={classes.icon} size={18} stroke={1.7} aria-hidden="true" />
    <Text miw={0} pr={8} lh={1.4}>
      {children}
    </Text>
    {buttons && (
      <Group flex="none" ml="auto" gap={4} wrap="nowrap" align="stretch">
        {buttons}
      </Group>
    )}
  </div>
);

const button = { size: 'compact-md', variant: 'subtle' } as const;

function ConnectionNotice() {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const { online } = useNetwork();
  const isUnreachable = useSyncExternalStore(
    useCallback((listener) => cache.subscribe(listener), [cache]),
    () =>
      cache
        .findAll({ type: 'active' })
        // `fetch` fails with a TypeError if there is no answer.
        .some(({ state }) => state.status === 'error' && state.error instanceof TypeError),
  );
  if (!online)
    return <Notice icon={IconWifiOff}>You're offline. Showing what's already loaded.</Notice>;
  if (!isUnreachable) return null;
  const retry = (): void =>
    void queries.refetchQueries({
      type: 'active',
      predicate: ({ state }) => state.status === 'error',
    });
  return (
    <Notice
      icon={IconPlugConnectedX}
      buttons={
        <Button {...button} onClick={retry}>
          Try again
        </Button>
      }
    >
      The server cannot be reached.
    </Notice>
  );
}

function NewVersionNotice() {
  if (useStore(newVersion, (worker) => worker === null)) return null;
  return (
    <Notice
      icon={IconSparkles}
      buttons={
        <Button {...button} onClick={reloadIntoNewVersion}>
          Reload
        </Button>
      }
    >
      A new version of Engram is ready.
    </Notice>
  );
}

function WaitingShareNotice() {
  const signedIn = useSignedIn();
  // Pages for signed-in users load the profile themselves, after the terms.
  const profile = useKnownProfile();
  if (!signedIn) return <WaitingShare owner={null} />;
  return profile ? <WaitingShare owner={profile.id} /> : null;
}

function WaitingShare({ owner }: { owner: string | null }) {
  const queries = useQueryClient();
  const queryKey = ['shared', owner];
  const { data: isWaiting } = useQuery({
    queryKey,
    // Without storage nothing is waiting.
    queryFn: () => hasSharedItems(owner, Date.now()).catch(() => false),
    enabled: 'indexedDB' in globalThis,
    gcTime: 0,
  });
  const { pathname } = useLocation();
  if (!isWaiting || pathname.startsWith(paths.share)) return null;
  const hide = (): void => void queries.setQueryData(queryKey, false);
  if (owner === null) {
    return <Notice icon={IconInbox}>Sign in to add what you shared.</Notice>;
  }
  const discard = (): void => {
    deleteUnsentFiles();
    hide();
  };
  return (
    <Notice
      icon={IconInbox}
      buttons={
        <>
          <Button {...button} color="gray" onClick={discard}>
            Discard
          </Button>
          <Button {...button} component={Link} to={paths.share} onClick={hide}>
            Open
          </Button>
        </>
      }
    >
      Something you shared is waiting.
    </Notice>
  );
}

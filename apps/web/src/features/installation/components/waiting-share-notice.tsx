import { Button } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { useKnownProfile } from '../../../session/account.ts';
import { forgetShared } from '../../../session/forget-shared.ts';
import { isSomethingShared } from '../share-inbox.ts';
import { useSignedIn } from '../../../session/use-session.ts';
import { AppNotice } from './app-notice.tsx';

/** Whether something waits for this person, as it was when the question was first put. */
function useSomethingShared(owner: string | null): [boolean, (waits: boolean) => void] {
  const [waits, setWaits] = useState(false);
  useEffect(() => {
    if (!('indexedDB' in globalThis)) return;
    let current = true;
    isSomethingShared(owner, Date.now()).then(
      (found) => current && setWaits(found),
      // A browser that keeps nothing has nothing that waits.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [owner]);
  return [waits, setWaits];
}

function Waiting({ owner }: { owner: string | null }) {
  const [waits, setWaits] = useSomethingShared(owner);
  const { pathname } = useLocation();
  if (!waits || pathname.startsWith(paths.share)) return null;
  if (owner === null) {
    return <AppNotice icon={IconInbox}>What you shared is kept here. Sign in to add it.</AppNotice>;
  }
  return (
    <AppNotice
      icon={IconInbox}
      actions={
        <>
          <Button
            size="compact-md"
            variant="subtle"
            color="gray"
            onClick={() => {
              forgetShared();
              setWaits(false);
            }}
          >
            Discard
          </Button>
          <Button
            size="compact-md"
            variant="subtle"
            component={Link}
            to={paths.share}
            onClick={() => setWaits(false)}
          >
            Open
          </Button>
        </>
      }
    >
      Something you shared is waiting.
    </AppNotice>
  );
}

/** Says that something shared from another app was not uploaded yet. */
export function WaitingShareNotice() {
  const signedIn = useSignedIn();
  // Pages for signed-in people ask for the profile themselves, and after the terms.
  const profile = useKnownProfile();
  if (!signedIn) return <Waiting owner={null} />;
  return profile ? <Waiting owner={profile.id} /> : null;
}

import { SpokenHeading } from '../components/page.tsx';
import { Button, Center } from '@mantine/core';
import { IconShare2 } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { registerServiceWorker } from '../features/installation/register.ts';
import { useDocumentTitle } from '../browser/document-title.ts';
import { useSignedIn } from '../session/session.ts';
import { useUploadPanel } from '../artifacts/dialogs.ts';
import { paths } from './paths.ts';

function useReadiness(): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    let current = true;
    if (import.meta.env.PROD) void registerServiceWorker();
    void navigator.serviceWorker.ready.then(() => current && setReady(true));
    return () => {
      current = false;
    };
  }, []);
  return isReady;
}

export default function ShareAgainPage() {
  useDocumentTitle('Share again');
  const isReady = useReadiness();
  const signedIn = useSignedIn();
  const panel = useUploadPanel();
  const [params] = useSearchParams();
  const noRoom = params.get('because') === 'room';
  const now = isReady ? 'It is now: share it again, or upload it here.' : 'Upload it here.';
  return (
    <Center mih="60vh">
      <SpokenHeading>Share again</SpokenHeading>
      <EmptyState
        icon={<IconShare2 size={24} stroke={1.6} />}
        title="What you shared did not arrive"
        text={
          noRoom
            ? 'This browser has no room for it. Free some space, or upload the files here one after the other.'
            : `Engram was not ready on this device to take it over. ${now}`
        }
        action={
          signedIn ? (
            <Button onClick={panel.open}>Upload</Button>
          ) : (
            <Button component={Link} to={paths.login} state={{ from: paths.share }}>
              Sign in
            </Button>
          )
        }
      />
    </Center>
  );
}

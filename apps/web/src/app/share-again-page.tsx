import { SpokenHeading } from '../components/page.tsx';
import { Button, Center } from '@mantine/core';
import { IconShare2 } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { registerServiceWorker } from '../features/installation/register.ts';
import { useDocumentTitle } from '../browser/document-title.ts';
import { useSignedIn } from '../session/session.ts';
import { uploadPanel } from '../artifacts/dialogs.ts';
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
  const [params] = useSearchParams();
  const isFull = params.get('because') === 'room';
  const advice = isReady ? 'Share it again, or upload it here.' : 'Upload it here.';
  return (
    <Center mih="60vh">
      <SpokenHeading>Share again</SpokenHeading>
      <EmptyState
        icon={<IconShare2 size={24} stroke={1.6} />}
        title="What you shared did not arrive"
        text={
          isFull
            ? 'This browser does not have enough space. Free some, or upload the files here one by one.'
            : `Engram was not ready to receive it on this device. ${advice}`
        }
        action={
          signedIn ? (
            <Button onClick={() => uploadPanel.set(true)}>Upload</Button>
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

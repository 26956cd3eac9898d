import { Stack } from '@mantine/core';
import { AppText, sectionsOf } from '../../../components/app-text.tsx';
import { Clip } from '../../../components/clip.tsx';
import { ListSection } from '../../../components/lists.tsx';
import { LoadingBlocks } from '../../../components/loading-blocks.tsx';
import { Prose } from '../../../components/prose.tsx';
import { useSignedIn } from '../../../session/session.ts';
import markdown from '../connector.md?raw';
import { Devices, useDevices } from './devices.tsx';
import { Downloads } from './downloads.tsx';
import { Page } from '../../../components/page.tsx';

export default function ConnectorPage() {
  return (
    <Page
      title="Connector"
      lead="A small program for your desktop that keeps folders in step with your files here."
      width="text"
    >
      <Connector />
    </Page>
  );
}

function Connector() {
  const signedIn = useSignedIn();
  const { isLoading } = useDevices(signedIn);
  // The rest of the page would move when the devices are loaded.
  if (isLoading) return <LoadingBlocks label="Loading your devices" heights={[280, 420]} />;
  return (
    <Stack gap={36}>
      {signedIn && (
        <ListSection id="devices" title="Your devices">
          <Devices />
        </ListSection>
      )}
      <Clip name="engram-connector" label="Keeping a folder in step">
        A folder is chosen on the Connector’s page, which shows how many files would be sent, and
        how large they are. A moment later everything in it is in Engram.
      </Clip>
      {sectionsOf(markdown, '# ').map(({ id, title, body }) => (
        <ListSection key={id} id={id} title={title}>
          {id === 'downloads' ? (
            <Downloads />
          ) : (
            <Prose maw="76ch">
              <AppText level={3}>{body}</AppText>
            </Prose>
          )}
        </ListSection>
      ))}
    </Stack>
  );
}

import { Stack } from '@mantine/core';
import { useNavigate } from 'react-router';
import { DemoClip } from '../features/landing/components/demo-clip.tsx';
import { FeatureTabs } from '../features/landing/components/feature-tabs.tsx';
import { About, Connectors, Hero, TryIt } from '../features/landing/components/sections.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';
import { scrollToTop } from '../browser/motion.ts';
import { useUploadPanel } from '../artifacts/dialogs.ts';
import { useHasArtifacts, useSignedIn } from '../session/session.ts';
import { paths } from './paths.ts';
import type { Arrival } from './use-search-screen.ts';

export default function HomePage() {
  useDocumentTitle('Engram');
  const navigate = useNavigate();
  const signedIn = useSignedIn();
  const hasArtifacts = useHasArtifacts();
  const { open: openUpload } = useUploadPanel();

  const tryIt = (): void => {
    if (!signedIn) void navigate(paths.login);
    else if (hasArtifacts) void navigate(paths.search);
    else scrollToTop();
  };

  return (
    <Stack
      maw="calc(1136px + 2 * var(--eg-gutter))"
      mx="auto"
      pt="clamp(32px, 5vw, 72px)"
      px="var(--eg-gutter)"
      pb="clamp(56px, 7vw, 96px)"
      gap="clamp(64px, 8vw, 112px)"
    >
      <Hero
        onUpload={openUpload}
        acceptsDrops={signedIn}
        searchable={hasArtifacts}
        onAsk={(ask) => void navigate(paths.search, { state: { ask } satisfies Arrival })}
      />
      <DemoClip />
      <FeatureTabs />
      <Connectors />
      <About />
      <TryIt onTry={tryIt} />
    </Stack>
  );
}

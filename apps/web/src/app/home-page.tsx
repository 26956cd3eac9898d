import { Stack } from '@mantine/core';
import { DemoClip } from '../features/landing/components/demo-clip.tsx';
import { FeatureTabs } from '../features/landing/components/feature-tabs.tsx';
import { About, Connectors, Hero, TryIt } from '../features/landing/components/sections.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';

export default function HomePage() {
  useDocumentTitle('Engram');
  return (
    <Stack
      maw="calc(1136px + 2 * var(--eg-gutter))"
      mx="auto"
      pt="clamp(32px, 5vw, 72px)"
      px="var(--eg-gutter)"
      pb="clamp(56px, 7vw, 96px)"
      gap="clamp(64px, 8vw, 112px)"
    >
      <Hero />
      <DemoClip />
      <FeatureTabs />
      <Connectors />
      <About />
      <TryIt />
    </Stack>
  );
}

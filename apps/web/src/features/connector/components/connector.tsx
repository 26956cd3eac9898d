import { Box, Center, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Clip } from '../../../components/clip.tsx';
import { ListHead } from '../../../components/list-head.tsx';
import { LoadingBlocks } from '../../../components/loading-blocks.tsx';
import { useSignedIn } from '../../../session/use-session.ts';
import { useDevices } from '../api.ts';
import { Devices } from './devices.tsx';
import { Downloads } from './downloads.tsx';

const steps: readonly { title: string; text: string }[] = [
  {
    title: 'Download it',
    text: 'Choose your system below. It is one file; nothing else is needed.',
  },
  {
    title: 'Pair it',
    text: 'Start it: its page opens in your browser. Enter the address of this server, and confirm the code that it shows. An API key from Api does as well.',
  },
  {
    title: 'Choose a folder',
    text: 'You see what will happen first: how many files, how large, and what is left out and why. From then on the folder is kept in step.',
  },
];

const macSteps: readonly string[] = [
  'Download the Connector for macOS, unpack it, and move it to Applications.',
  'Open it. macOS asks the first time whether you trust a program from the internet: allow it under System Settings, Privacy & Security, with ‘Open Anyway’.',
  'Enter the address of this server, and confirm the code in your browser.',
  'Choose the folder, and allow the Connector to read it when macOS asks.',
];

const workings: readonly { title: string; text: string }[] = [
  {
    title: 'It looks every 5 minutes',
    text: 'New and changed files arrive within seconds of being saved. Every 5 minutes by default the whole folder is gone through; you can set another interval in its settings.',
  },
  {
    title: 'It sends what has changed',
    text: 'A file with the same bytes is never sent or kept twice, and a renamed one not again. What it was before answers until the new version is read.',
  },
  {
    title: 'It never deletes in Engram',
    text: 'What leaves the folder stays in Engram, or is archived where you say so. What you delete in Engram does not come back from the folder.',
  },
  {
    title: 'It says where things stand',
    text: 'A file that cannot be taken is named with the reason, and does not hold up the others. Without a network it waits and goes on later.',
  },
  {
    title: 'You choose what is left out',
    text: 'Hidden rubbish of the system, unfinished downloads and links are left out. A file .engramignore in a folder names more, as .gitignore does.',
  },
  {
    title: 'You see where files came from',
    text: 'In Files they carry their place in the folder, and their source reads Connector. They are asked about, narrowed by keywords and deleted like any other.',
  },
];

const number = {
  w: 28,
  h: 28,
  flex: 'none',
  bdrs: 9,
  fz: 'sm',
  fw: 650,
  c: 'indigo',
  bg: 'var(--eg-accent-soft)',
} as const;

/** The person's devices, how the desktop program is had and installed, and how it works. */
export function Connector() {
  const signedIn = useSignedIn();
  const { isLoading } = useDevices({ enabled: signedIn });
  // What stands below would move when it is known how many devices there are.
  if (isLoading) return <LoadingBlocks label="Loading your devices" heights={[280, 420]} />;
  return (
    <Stack gap={36}>
      {signedIn && (
        <Section id="devices" title="Your devices">
          <Devices />
        </Section>
      )}
      <Clip name="engram-connector" label="Keeping a folder in step">
        A folder is chosen on the Connector’s page, which shows how many files would be sent, and
        how large they are. A moment later everything in it is in Engram.
      </Clip>
      <Section id="get-started" title="Get Started">
        <Stack component="ol" gap={16}>
          {steps.map(({ title, text }, index) => (
            <Group key={title} component="li" wrap="nowrap" align="flex-start" gap={14}>
              <Center {...number} aria-hidden="true">
                {index + 1}
              </Center>
              <div>
                <strong>{title}</strong>
                <Text c="dimmed">{text}</Text>
              </div>
            </Group>
          ))}
        </Stack>
      </Section>
      <Section id="downloads" title="Download">
        <Downloads />
      </Section>
      <Section id="macos" title="Install on macOS">
        <Stack component="ol" pl={22} c="dimmed" lh={1.6} gap={8} style={{ listStyle: 'revert' }}>
          {macSteps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </Stack>
      </Section>
      <Section id="how-it-works" title="How it works">
        <Group component="dl" align="flex-start" gap="18px 32px">
          {workings.map(({ title, text }) => (
            <Box key={title} flex="1 1 min(320px, 100%)">
              <Box component="dt" fw={600}>
                {title}
              </Box>
              <Text component="dd" c="dimmed">
                {text}
              </Text>
            </Box>
          ))}
        </Group>
      </Section>
    </Stack>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-heading`}>
      <ListHead id={`${id}-heading`} title={title} />
      {children}
    </section>
  );
}

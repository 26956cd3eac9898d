import { Anchor, Box, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Logo } from '../components/logo.tsx';
import { CardMain } from './card-main.tsx';
import { paths } from './paths.ts';

/** One question on a page of its own, so that nothing stands beside it. */
export function ConnectLayout({ children }: { children: ReactNode }) {
  return (
    <Stack mih="100dvh" gap={0}>
      <Box component="header" py={16} px="var(--eg-gutter)">
        <Anchor
          component={Link}
          display="inline-flex"
          py={8}
          underline="never"
          to={paths.search}
          aria-label="Engram"
        >
          <Logo />
        </Anchor>
      </Box>
      <CardMain withBorder w="min(480px, 100%)" p={20}>
        {children}
      </CardMain>
    </Stack>
  );
}

/** Names a page to those who hear it, whose card has no heading of its own. */
export const SpokenHeading = ({ children }: { children: string }) => (
  <h1 className="eg-visually-hidden" data-page-heading tabIndex={-1}>
    {children}
  </h1>
);

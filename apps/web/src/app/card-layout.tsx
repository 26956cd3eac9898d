import { Paper, type PaperProps, Stack, Anchor, Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Logo } from '../components/logo.tsx';
import { paths } from './paths.ts';

interface CardMainProps extends PaperProps {
  children: ReactNode;
}

/** The main part of a page with one card. Aligned to the top, as a centered card would move when it grows. */
export const CardMain = ({ children, ...card }: CardMainProps) => (
  <Stack
    component="main"
    flex={1}
    align="center"
    px={16}
    pt="clamp(8px, 20vh - 120px, 160px)"
    pb={56}
    id="main"
    tabIndex={-1}
  >
    <Paper radius={16} {...card}>
      {children}
    </Paper>
  </Stack>
);

export const ConnectLayout = ({ children }: { children: ReactNode }) => (
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

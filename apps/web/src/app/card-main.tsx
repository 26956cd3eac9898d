import { Paper, type PaperProps, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

interface CardMainProps extends PaperProps {
  children: ReactNode;
}

/** The main part of a page that is one card; from its upper edge down, as in the middle it would move as it grows. */
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

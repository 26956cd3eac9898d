import { Anchor, Box, Group, Paper, Text } from '@mantine/core';
import { IconArrowsLeftRight, IconFolder } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { Soon } from '../../../components/soon.tsx';
import { card } from './card.ts';
import classes from './landing.module.css';

const End = ({ children }: { children: ReactNode }) => (
  <Group gap={10} px={16} py={12} wrap="nowrap" bd="1px dashed var(--eg-line-strong)" bdrs={12}>
    {children}
  </Group>
);

/** How folders stay in sync. The heading keeps the words 'Coming Soon' of the specification. */
export function Connectors() {
  return (
    <Paper component="section" {...card} aria-labelledby="connectors-heading">
      <Group justify="space-between" gap="28px 56px">
        <Box flex="1 1 320px">
          <Group component="h2" id="connectors-heading" gap={14} className={classes.heading ?? ''}>
            Connectors <Soon />
          </Group>
          <p className={classes.lead}>
            <Anchor component={Link} to={paths.connector} inherit underline="always">
              The Connector for your desktop
            </Anchor>{' '}
            is here: it keeps folders of your computer in step with Engram. Connectors for other
            services are planned.
          </p>
        </Box>
        <Group gap={14} wrap="nowrap" fz={14} fw={550} c="dimmed" aria-hidden="true">
          <End>
            <IconFolder size={20} stroke={1.6} />
            Documents
          </End>
          <IconArrowsLeftRight size={20} stroke={1.6} color="var(--eg-ink-faint)" />
          <End>
            <Text span w={18} h={18} bd="5px solid var(--eg-accent)" bdrs={6} />
            Engram
          </End>
        </Group>
      </Group>
    </Paper>
  );
}

import { Box, Group, Text } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  title: string;
  lead?: ReactNode;
  aside?: ReactNode;
  danger?: boolean;
  children?: ReactNode;
}

export function Panel({ title, lead, aside, danger = false, children }: PanelProps) {
  const titleId = useId();
  return (
    <section className={classes.panel} aria-labelledby={titleId}>
      <Group
        component="header"
        className={classes.head ?? ''}
        justify="space-between"
        gap="8px 16px"
      >
        <Box flex={lead ? '1 1 220px' : '1 1 160px'} miw={0}>
          <Text
            component="h3"
            id={titleId}
            fz={16}
            fw={650}
            lh={1.4}
            {...(danger ? { c: 'red' } : {})}
          >
            {title}
          </Text>
          {lead && (
            <Text maw="68ch" mt={4} fz={14} c="dimmed">
              {lead}
            </Text>
          )}
        </Box>
        {aside}
      </Group>
      {children}
    </section>
  );
}

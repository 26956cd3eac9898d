import { Box, Group } from '@mantine/core';
import { Children, type ReactNode, type RefObject } from 'react';
import type { Icon as TablerIcon } from '@tabler/icons-react';
import classes from './row.module.css';

interface RowsProps {
  label: string;
  /** Takes the focus when a row is removed with the button that had it. */
  ref?: RefObject<HTMLUListElement | null>;
  children: ReactNode;
}

/** A list of things with actions. */
export const Rows = ({ label, ref, children }: RowsProps) => (
  <ul ref={ref} tabIndex={-1} aria-label={label}>
    {children}
  </ul>
);

interface RowProps {
  icon?: TablerIcon;
  name: ReactNode;
  facts: readonly ReactNode[];
  action?: ReactNode;
}

/** A row with a name, facts and an action. */
export const Row = ({ icon: Icon, name, facts, action }: RowProps) => (
  <li className={classes.row}>
    {Icon && <Icon color="var(--eg-ink-3)" size={20} stroke={1.6} aria-hidden="true" />}
    <Box flex="1 1 180px" miw={0}>
      <Group component="span" gap="2px 10px" fw={600}>
        {name}
      </Group>
      {Children.map(facts, (line) => (
        <Group component="span" gap="0 16px" fz="sm" c="dimmed">
          {line}
        </Group>
      ))}
    </Box>
    {action}
  </li>
);

import { Box, Group } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import type { Icon as TablerIcon } from '@tabler/icons-react';
import classes from './row.module.css';

interface RowsProps {
  /** What the rows are, for those who do not see them. */
  label: string;
  /** Takes the focus when a row goes with the button that had it. */
  ref?: RefObject<HTMLUListElement | null>;
  children: ReactNode;
}

/** Things below each other, each with what can be done with it. */
export const Rows = ({ label, ref, children }: RowsProps) => (
  <ul ref={ref} tabIndex={-1} aria-label={label}>
    {children}
  </ul>
);

interface RowProps {
  icon?: TablerIcon;
  name: ReactNode;
  /** Lines of facts below the name. */
  facts: readonly ReactNode[];
  /** What can be done with it. */
  action?: ReactNode;
}

/** One thing of a list: what it is, what is known of it, and what can be done with it. */
export const Row = ({ icon: Icon, name, facts, action }: RowProps) => (
  <li className={classes.row}>
    {Icon && <Icon color="var(--eg-ink-3)" size={20} stroke={1.6} aria-hidden="true" />}
    <Box flex="1 1 180px" miw={0}>
      <Group component="span" gap="2px 10px" fw={600}>
        {name}
      </Group>
      {facts.map((line, number) => (
        // Lines have nothing of their own to be told apart by, and never change places.
        // oxlint-disable-next-line react/no-array-index-key
        <Group key={number} component="span" gap="0 16px" fz="sm" c="dimmed">
          {line}
        </Group>
      ))}
    </Box>
    {action}
  </li>
);

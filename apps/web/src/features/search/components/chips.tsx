import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { Chip } from '../../../components/chip.tsx';
import classes from './chips.module.css';

interface ChipGroupProps {
  heading: string;
  children: ReactNode;
  centered?: boolean;
}

/** A quiet heading with chips below it. */
export function ChipGroup({ heading, centered, children }: ChipGroupProps) {
  return (
    <Box
      component="section"
      miw={0}
      data-screen-only
      data-centered={centered || undefined}
      aria-label={heading}
    >
      <h2 className={classes.heading}>{heading}</h2>
      <ul className={classes.chips}>{children}</ul>
    </Box>
  );
}

interface ChipItemProps {
  children: ReactNode;
  onClick: () => void;
  /** Given for a chip that is switched on and off. */
  pressed?: boolean;
  accent?: boolean;
  /** Stands before the text. */
  icon?: ReactNode;
}

export function ChipItem({ children, onClick, pressed, accent, icon }: ChipItemProps) {
  return (
    <Box component="li" maw="100%">
      <Chip data-accent={accent || undefined} aria-pressed={pressed} onClick={onClick}>
        {icon}
        {children}
      </Chip>
    </Box>
  );
}

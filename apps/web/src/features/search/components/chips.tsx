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
    <section
      className={classes.group}
      data-screen-only
      data-centered={centered || undefined}
      aria-label={heading}
    >
      <h2 className={classes.heading}>{heading}</h2>
      <ul className={classes.chips}>{children}</ul>
    </section>
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
    <li className={classes.item}>
      <Chip data-accent={accent || undefined} aria-pressed={pressed} onClick={onClick}>
        {icon}
        {children}
      </Chip>
    </li>
  );
}

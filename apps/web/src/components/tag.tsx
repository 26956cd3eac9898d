import type { ReactNode } from 'react';
import classes from './tag.module.css';

interface TagProps {
  /** What the mark is about: 'accent' is worth a look, the others say how things stand. */
  tone?: 'accent' | 'quiet' | 'success' | 'warning' | 'danger';
  children: ReactNode;
}

/** A word or two that mark what they stand beside. */
export const Tag = ({ tone = 'accent', children }: TagProps) => (
  <span className={classes.tag} data-tone={tone}>
    {children}
  </span>
);

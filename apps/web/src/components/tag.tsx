import type { ReactNode } from 'react';
import classes from './tag.module.css';

interface TagProps {
  /** 'accent' draws attention, the others show a state. */
  tone?: 'accent' | 'quiet' | 'success' | 'warning' | 'danger';
  children: ReactNode;
}

export const Tag = ({ tone = 'accent', children }: TagProps) => (
  <span className={classes.tag} data-tone={tone}>
    {children}
  </span>
);

export const Soon = () => <Tag>Coming Soon</Tag>;

import type { ReactNode } from 'react';
import classes from './state.module.css';

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  /** What to do next. */
  text: ReactNode;
  /** The button that does it. */
  action?: ReactNode;
}

/** Nothing is here yet, and what to do about it. */
export function EmptyState({ icon, title, text, action }: EmptyStateProps) {
  return (
    <div className={classes.state}>
      {icon && (
        <div className={classes.icon} aria-hidden="true">
          {icon}
        </div>
      )}
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.text}>{text}</p>
      {action}
    </div>
  );
}

import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './notice.module.css';

interface NoticeProps {
  icon: Icon;
  children: ReactNode;
  /** Buttons. */
  actions?: ReactNode;
}

/** One line about the app itself, at the foot of the window. */
export function Notice({ icon: NoticeIcon, children, actions }: NoticeProps) {
  return (
    <div className={classes.notice}>
      <NoticeIcon className={classes.icon} size={18} stroke={1.7} aria-hidden="true" />
      <p className={classes.text}>{children}</p>
      {actions && <div className={classes.actions}>{actions}</div>}
    </div>
  );
}

import { useId, type ReactNode } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  title: string;
  /** A sentence or two below the title. */
  lead?: ReactNode;
  /** Stands on the title's right. */
  aside?: ReactNode;
  /** Something that cannot be taken back is done here. */
  danger?: boolean;
  children?: ReactNode;
}

/** One subject of a page of settings, framed. */
export function Panel({ title, lead, aside, danger = false, children }: PanelProps) {
  const titleId = useId();
  return (
    <section className={classes.panel} data-danger={danger || undefined} aria-labelledby={titleId}>
      <header className={classes.head}>
        <div className={classes.words}>
          <h3 id={titleId} className={classes.title}>
            {title}
          </h3>
          {lead && <p className={classes.lead}>{lead}</p>}
        </div>
        {aside}
      </header>
      {children}
    </section>
  );
}

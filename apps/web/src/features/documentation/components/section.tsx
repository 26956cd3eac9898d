import { IconLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './section.module.css';

interface SectionProps {
  id: string;
  title: string;
  /** 2 for a section, 3 for what stands in one. */
  level?: 2 | 3;
  children?: ReactNode;
}

/** A section with its heading, which the address can name. */
export function Section({ id, title, level = 2, children }: SectionProps) {
  const Heading = `h${level}` as const;
  return (
    <section className={classes.section} id={id} data-level={level} aria-labelledby={`${id}-title`}>
      <div className={classes.head}>
        <Heading className={classes.heading} id={`${id}-title`} tabIndex={-1} data-section-heading>
          {title}
        </Heading>
        <a className={classes.anchor} href={`#${id}`} aria-label={`Link to ${title}`}>
          <IconLink size={16} stroke={1.8} aria-hidden="true" />
        </a>
      </div>
      {children}
    </section>
  );
}

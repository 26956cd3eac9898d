import { Skeleton } from '@mantine/core';
import classes from './answer-panel.module.css';

/** The outline of an answer that is being fetched. */
export function AnswerSkeleton() {
  return (
    <section className={classes.panel} aria-busy="true" aria-label="Loading the answer">
      <Skeleton height={16} width={240} />
      <Skeleton height={42} width="70%" radius={14} />
      <Skeleton height={16} />
      <Skeleton height={16} width="85%" />
      <Skeleton height={110} radius={12} />
    </section>
  );
}

import { Skeleton } from '@mantine/core';
import classes from './loading-blocks.module.css';

interface LoadingBlocksProps {
  /** What is being loaded, such as 'Loading your billing'. */
  label: string;
  /** Pixels of each block. */
  heights: readonly number[];
}

/** What is lower than this is a row of a list. */
const FRAMED = 80;

/** Stands where panels and rows will stand when they are loaded. */
export function LoadingBlocks({ label, heights }: LoadingBlocksProps) {
  return (
    <section aria-busy="true" aria-label={label}>
      {heights.map((height, at) => {
        const key = `${at} ${height}`;
        return height < FRAMED ? (
          <Row key={key} height={height} />
        ) : (
          <Frame key={key} height={height} />
        );
      })}
    </section>
  );
}

const Row = ({ height }: { height: number }) => (
  <div className={classes.row} style={{ height }}>
    <Skeleton width="34%" height={12} />
    <Skeleton width="18%" height={12} />
  </div>
);

const Frame = ({ height }: { height: number }) => (
  <div className={classes.frame} style={{ height }}>
    <Skeleton width="30%" height={16} />
    <Skeleton width="72%" height={12} />
    <Skeleton width="54%" height={12} />
  </div>
);

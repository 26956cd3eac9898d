import { Skeleton } from '@mantine/core';
import classes from './loading-blocks.module.css';
import { ErrorState } from './empty-state.tsx';

interface LoadingBlocksProps {
  /** Such as 'Loading your billing'. */
  label: string;
  /** The height of each block in pixels. */
  heights: readonly number[];
}

/** Lower blocks look like rows of a list. */
const FRAMED = 80;

/** Placeholders for panels and rows. */
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

interface LoadStateProps {
  call: { error: unknown; refetch: () => unknown };
  /** Such as 'your billing'. */
  what: string;
  /** The title if it fails, instead of 'Your billing could not be loaded'. */
  failed?: string;
  heights: readonly number[];
}

/** Placeholders while a call loads, or its error. */
export function LoadState({ call, what, failed, heights }: LoadStateProps) {
  if (!call.error) return <LoadingBlocks label={`Loading ${what}`} heights={heights} />;
  const title = failed ?? `${what.charAt(0).toUpperCase()}${what.slice(1)} could not be loaded`;
  return <ErrorState title={title} error={call.error} onRetry={() => void call.refetch()} />;
}

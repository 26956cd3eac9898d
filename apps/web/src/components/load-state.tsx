import { ErrorState } from './error-state.tsx';
import { LoadingBlocks } from './loading-blocks.tsx';

interface LoadStateProps {
  /** A call without data. */
  call: { error: unknown; refetch: () => unknown };
  /** What is loaded, such as 'your billing'. */
  what: string;
  /** What failed, where 'Your billing could not be loaded' is not what to say. */
  failed?: string;
  /** Pixels of each block that is shown while loading. */
  heights: readonly number[];
}

/** In the place of what is not loaded: that it is being loaded, or why it could not be. */
export function LoadState({ call, what, failed, heights }: LoadStateProps) {
  if (!call.error) return <LoadingBlocks label={`Loading ${what}`} heights={heights} />;
  const title = failed ?? `${what.charAt(0).toUpperCase()}${what.slice(1)} could not be loaded`;
  return <ErrorState title={title} error={call.error} onRetry={() => void call.refetch()} />;
}

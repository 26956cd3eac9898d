import { ApiError } from '@engram/client';
import { IconHistoryOff } from '@tabler/icons-react';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorState } from '../components/error-state.tsx';

/** A question that cannot be shown: it is gone, or the server cannot be asked. */
export default function MissingAnswer({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
    return (
      <EmptyState
        icon={<IconHistoryOff size={24} stroke={1.6} />}
        title="This question is not in your history"
        text="The link may be old, or may belong to somebody else. Ask again to get an answer."
      />
    );
  }
  return <ErrorState title="The answer could not be loaded" error={error} onRetry={onRetry} />;
}

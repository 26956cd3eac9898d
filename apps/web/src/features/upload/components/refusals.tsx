import { CloseButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { notifyError } from '../../../lib/notify.ts';
import { refusalHeadings, type Refusal, type RefusalKind } from '../file-rules.ts';
import { canShrink } from '../shrink-image.ts';
import classes from './refusals.module.css';

interface RefusalsProps {
  refusals: readonly Refusal[];
  onDismiss: () => void;
  /** Makes a picture small enough and adds it to the upload. */
  onShrink: (refusal: Refusal) => Promise<void>;
}

function RefusalLine({
  refusal,
  onShrink,
}: Pick<RefusalsProps, 'onShrink'> & { refusal: Refusal }) {
  const shrink = useMutation({
    mutationFn: onShrink,
    onError: (error) => notifyError(`${refusal.file.name} could not be shrunk`, error),
  });
  return (
    <li>
      {refusal.message}{' '}
      {refusal.kind === 'big' && canShrink(refusal.file) && (
        <button
          className={classes.shrink}
          type="button"
          disabled={shrink.isPending}
          onClick={() => shrink.mutate(refusal)}
        >
          Shrink and upload
        </button>
      )}
    </li>
  );
}

/** Files that were chosen but cannot be taken, by reason. */
export function Refusals({ refusals, onDismiss, onShrink }: RefusalsProps) {
  const kinds = (Object.keys(refusalHeadings) as RefusalKind[]).filter((kind) =>
    refusals.some((refusal) => refusal.kind === kind),
  );
  if (kinds.length === 0) return null;
  return (
    <div className={classes.refusals} role="alert">
      <CloseButton
        className={classes.close ?? ''}
        size="sm"
        aria-label="Dismiss"
        onClick={onDismiss}
      />
      {kinds.map((kind) => (
        <div key={kind}>
          <strong>{refusalHeadings[kind]}</strong>
          <ul>
            {refusals
              .filter((refusal) => refusal.kind === kind)
              .map((refusal) => (
                <RefusalLine key={refusal.id} refusal={refusal} onShrink={onShrink} />
              ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

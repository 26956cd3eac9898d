import { Button, Progress, Tooltip } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { Artifact } from '@engram/contract';
import { useRetryArtifact } from '../api/retry-artifact.ts';
import classes from './readiness.module.css';

const waiting = 'Waiting to be read.';

/** Why a file is not searchable, or what of it is not. */
function reasonOf({ uploadStatus, statusReason, progress }: Artifact): string | null {
  if (statusReason) return statusReason;
  if (uploadStatus === 'PENDING') return waiting;
  if (uploadStatus === 'PROCESSING') return `Being read: ${progress}% done.`;
  return null;
}

/** 'Yes', or 'No' with how far the file is or what is wrong with it. */
export function Readiness({ file }: { file: Artifact }) {
  const retry = useRetryArtifact();
  const { isVectorReady, uploadStatus, progress } = file;
  const reason = reasonOf(file);
  const isBeingRead = uploadStatus === 'PENDING' || uploadStatus === 'PROCESSING';
  const tone = isVectorReady ? 'ready' : uploadStatus === 'FAILED' ? 'failed' : 'waiting';
  const answer = (
    <span className={classes.answer} data-tone={tone}>
      {isVectorReady ? 'Yes' : 'No'}
      {isBeingRead && <span className={classes.share}>{progress}%</span>}
    </span>
  );
  return (
    <div className={classes.readiness}>
      <div className={classes.line}>
        {reason ? (
          <Tooltip
            label={reason}
            w="max-content"
            maw={280}
            events={{ hover: true, focus: true, touch: true }}
          >
            <button className={classes.reasonButton} type="button">
              {answer}
              <IconInfoCircle size={15} stroke={1.7} aria-hidden="true" />
              <span className="eg-visually-hidden">{reason}</span>
            </button>
          </Tooltip>
        ) : (
          answer
        )}
        {uploadStatus === 'FAILED' && (
          <Button
            variant="default"
            size="compact-xs"
            loading={retry.isPending}
            aria-label={`Retry ${file.artifactFileName}`}
            onClick={() => retry.mutate(file.artifactId)}
          >
            Retry
          </Button>
        )}
      </div>
      {isBeingRead && (
        <Progress
          className={classes.progress ?? ''}
          size={3}
          value={Math.max(progress, 3)}
          aria-label={`Reading ${file.artifactFileName}`}
        />
      )}
      {reason && uploadStatus !== 'PROCESSING' && <p className={classes.reason}>{reason}</p>}
    </div>
  );
}

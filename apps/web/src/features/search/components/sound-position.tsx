import { IconVolumeOff } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { formatDuration } from '../../../lib/format.ts';
import type { AnswerSound } from '../use-answer-sound.ts';
import notices from './notices.module.css';
import classes from './sound-position.module.css';

/** How far an answer has been heard, to be moved by hand; or why it cannot be heard. */
export function SoundPosition({ sound }: { sound: AnswerSound }) {
  const { status, seconds, duration, failure, seek } = sound;
  if (failure !== null) {
    return (
      <p className={notices.notice} data-tone="quiet" role="alert">
        <IconVolumeOff size={17} stroke={1.7} aria-hidden="true" />
        <span>
          <strong>The answer cannot be played.</strong> <span>{failure}</span>
        </span>
      </p>
    );
  }
  if (status === 'unasked' || status === 'loading') return null;
  const share = duration > 0 ? Math.min(1, seconds / duration) : 0;
  const spoken = `${formatDuration(seconds * 1000)} of ${formatDuration(duration * 1000)}`;
  return (
    <div className={classes.position}>
      <input
        type="range"
        className={classes.bar}
        aria-label="Position in the spoken answer"
        aria-valuetext={spoken}
        min={0}
        max={duration}
        step="any"
        value={seconds}
        style={{ '--share': share } as CSSProperties}
        onChange={(event) => seek(Number(event.currentTarget.value))}
        onKeyDown={(event) => {
          // Without a step of its own the browser would move by a hundredth of the whole.
          const by = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5 }[event.key];
          if (by === undefined) return;
          event.preventDefault();
          seek(Math.max(0, Math.min(duration, seconds + by)));
        }}
      />
      <span className={classes.time} aria-hidden="true">
        {formatDuration(seconds * 1000)} / {formatDuration(duration * 1000)}
      </span>
    </div>
  );
}

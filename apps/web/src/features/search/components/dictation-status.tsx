import { useEffect, useState } from 'react';
import { formatDuration } from '../../../format/format.ts';
import type { Dictation } from '../use-dictation.ts';
import classes from './dictation.module.css';

/** What is going on, in words that are read out once. */
function sentenceOf(state: Dictation['state']): string {
  switch (state.status) {
    case 'idle':
      return '';
    case 'asking':
      return 'Allow the microphone…';
    case 'listening':
      return state.instead ? 'Recording instead. Please speak…' : 'Listening…';
    case 'writing':
      return 'Writing it down…';
  }
}

function Timer({ since, mostMs }: { since: number; mostMs: number }) {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className={classes.timer} aria-hidden="true">
      {formatDuration(Math.min(mostMs, Math.max(0, now - since)))} / {formatDuration(mostMs)}
    </span>
  );
}

/** What the microphone does; nothing while it is closed. */
export function DictationStatus({ state }: { state: Dictation['state'] }) {
  const timed = state.status === 'listening' ? state.timed : null;
  return (
    <span className={classes.status} data-status={state.status}>
      <output className={classes.sentence}>{sentenceOf(state)}</output>
      {timed && <Timer {...timed} />}
    </span>
  );
}

import { useEffect, useState } from 'react';
import classes from './loading-cube.module.css';

/** Milliseconds before the cube appears. */
const DELAY_MS = 300;
/** Milliseconds in which it fades out over the answer. */
const LINGER_MS = 500;

interface LoadingCubeProps {
  waiting: boolean;
}

/** A turning cube during a wait that is noticeable. */
export function LoadingCube({ waiting }: LoadingCubeProps) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(waiting), waiting ? DELAY_MS : LINGER_MS);
    return () => clearTimeout(timer);
  }, [waiting]);
  if (!shown) return null;
  return (
    <div
      className={classes.overlay}
      data-leaving={!waiting || undefined}
      aria-hidden="true"
      data-testid="loading-cube"
    >
      <div className={classes.cube}>
        {['front', 'back', 'right', 'left', 'top', 'bottom'].map((face) => (
          <span key={face} className={classes.face} data-face={face} />
        ))}
      </div>
    </div>
  );
}

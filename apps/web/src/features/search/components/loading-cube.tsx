import { useEffect, useState } from 'react';
import classes from './loading-cube.module.css';

/** An answer that takes no longer than this needs no cube, in milliseconds. */
const DELAY_MS = 300;

/** A turning cube, for a wait that has become noticeable. What is waited for is said beside it. */
export function LoadingCube() {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!due) return null;
  return (
    <div className={classes.scene} aria-hidden="true" data-testid="loading-cube">
      <div className={classes.cube}>
        {['front', 'back', 'right', 'left', 'top', 'bottom'].map((face) => (
          <span key={face} className={classes.face} data-face={face} />
        ))}
      </div>
    </div>
  );
}

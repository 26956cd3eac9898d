import { useMemo, type CSSProperties } from 'react';
import classes from './backdrop.module.css';
import { constellation } from '../constellation.ts';

interface BackdropProps {
  /** Whether it stands still. */
  paused: boolean;
}

/** Drawn once, moved as a whole: each layer drifts on its own, the nearer the further. */
const LAYERS = [
  { seed: 7, nodes: 34, radius: 1.6 },
  { seed: 19, nodes: 22, radius: 2.4 },
  { seed: 43, nodes: 12, radius: 3.4 },
] as const;

/** Memories that find each other: points and threads that drift slowly, forever. */
export function Backdrop({ paused }: BackdropProps) {
  const layers = useMemo(() => LAYERS.map(({ seed, nodes }) => constellation(seed, nodes)), []);
  return (
    <div className={classes.backdrop} data-paused={paused || undefined} aria-hidden="true">
      <div className={classes.glow} />
      {layers.map(({ points, threads }, index) => (
        <svg
          key={LAYERS[index]?.seed}
          className={classes.layer}
          style={{ '--layer': index } as CSSProperties}
          viewBox="0 0 1600 1000"
          preserveAspectRatio="xMidYMid slice"
        >
          {threads.map(({ from, to, strength }) => (
            <line
              key={`${from.x} ${from.y} ${to.x} ${to.y}`}
              x1={from.x}
              y1={from.y}
              x2={to.x}
              y2={to.y}
              strokeOpacity={strength}
            />
          ))}
          {points.map(({ x, y }) => (
            <circle key={`${x} ${y}`} cx={x} cy={y} r={LAYERS[index]?.radius} />
          ))}
        </svg>
      ))}
    </div>
  );
}

import classes from './middle-cut.module.css';

/** Characters that stay at the end: what often tells two versions of a file apart, and its type. */
const TAIL = 7;

/** A name that is cut in the middle when there is no room for all of it, or at its end in a nook. */
export function MiddleCut({ children }: { children: string }) {
  const letters = [...children];
  // A blank at the cut goes with the beginning, where it vanishes together with the rest.
  const at = letters.length - TAIL + (letters.at(-TAIL) === ' ' ? 1 : 0);
  return (
    <span className={classes.name} title={children}>
      <span className={classes.whole}>{children}</span>
      <span className={classes.cut} aria-hidden="true">
        <span className={classes.head} data-text={letters.slice(0, Math.max(at, 0)).join('')} />
        <span data-text={letters.slice(Math.max(at, 0)).join('')} />
      </span>
    </span>
  );
}

import { Logo } from './logo.tsx';
import classes from './splash.module.css';

/** Stands in while the app finds out who is there; unseen when that is quick. */
export function Splash() {
  return (
    <output className={classes.splash} aria-label="Loading">
      <Logo />
    </output>
  );
}

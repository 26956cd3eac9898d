import classes from './logo.module.css';

interface LogoProps {
  /** For the dark picture of the sign-in page. */
  white?: boolean;
}

export function Logo({ white = false }: LogoProps) {
  return (
    <span className={classes.logo} data-white={white || undefined}>
      <span className={classes.mark} aria-hidden="true" />
      Engram
    </span>
  );
}

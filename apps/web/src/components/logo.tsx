import classes from './logo.module.css';
import { Center, type CenterProps } from '@mantine/core';

export const Logo = ({ white = false }) => (
  <span className={classes.logo} data-white={white || undefined}>
    <span className={classes.mark} aria-hidden="true" />
    Engram
  </span>
);

/** Shown while the session is restored. It fades in, so that it is invisible if that is fast. */
export const Splash = ({ children, ...center }: CenterProps) => (
  <Center
    component="output"
    className={classes.splash ?? ''}
    mih="100dvh"
    aria-label="Loading"
    {...center}
  >
    {children ?? <Logo />}
  </Center>
);

import { Center, type CenterProps } from '@mantine/core';
import { Logo } from './logo.tsx';
import classes from './splash.module.css';

/** Stands in while the app finds out who is there; unseen when that is quick. */
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

import { Center } from '@mantine/core';
import { Logo } from './logo.tsx';
import classes from './splash.module.css';

/** Stands in while the app finds out who is there; unseen when that is quick. */
export function Splash() {
  return (
    <Center component="output" className={classes.splash ?? ''} mih="100dvh" aria-label="Loading">
      <Logo />
    </Center>
  );
}

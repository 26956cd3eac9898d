import { Notifications } from '@mantine/notifications';
import classes from './toasts.module.css';

/** Toasts are at the top, so that they do not cover the menu and the buttons of dialogs. */
export function Toasts() {
  return <Notifications className={classes.toasts} position="top-center" limit={4} />;
}

import { Notifications } from '@mantine/notifications';
import classes from './toasts.module.css';

/** Short messages, clear of the menu and of the buttons that dialogs have at their foot; they stay while they are pointed at. */
export function Toasts() {
  return <Notifications className={classes.toasts} position="top-center" limit={4} />;
}

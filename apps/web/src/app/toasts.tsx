import { Notifications } from '@mantine/notifications';

/** Short messages at the top, clear of the buttons that dialogs have at their foot; they stay while they are pointed at. */
export function Toasts() {
  return <Notifications position="top-center" limit={4} />;
}

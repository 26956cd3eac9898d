import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

/** Shows a message with an undo button for `autoClose` milliseconds, or until its id is hidden. */
export function notifyUndoable(
  id: string,
  message: ReactNode,
  onUndo: () => void,
  autoClose: number | false = false,
): void {
  notifications.show({
    id,
    autoClose,
    message: (
      <Group gap={12} wrap="nowrap" justify="space-between">
        <span style={{ minWidth: 0, overflowWrap: 'anywhere' }}>{message}</span>
        <Button flex="none" size="compact-sm" variant="light" onClick={onUndo}>
          Undo
        </Button>
      </Group>
    ),
  });
}

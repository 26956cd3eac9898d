import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

/** Shows a message with an undo button until `notifications.hide(id)` is called. */
export function notifyUndoable(id: string, message: ReactNode, onUndo: () => void): void {
  notifications.show({
    id,
    autoClose: false,
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

import { Overlay, Stack, Text } from '@mantine/core';
import { IconCloudUpload } from '@tabler/icons-react';

/** Covers the window while files are dragged over it; it takes no events, the window does. */
export function DropTarget() {
  return (
    <Overlay
      fixed
      center
      color="var(--eg-body)"
      backgroundOpacity={0.88}
      zIndex={190}
      style={{ pointerEvents: 'none' }}
    >
      <Stack align="center" gap="xs" c="indigo">
        <IconCloudUpload size={40} stroke={1.4} aria-hidden="true" />
        <Text size="lg" fw={600}>
          Drop to add to your files
        </Text>
      </Stack>
    </Overlay>
  );
}

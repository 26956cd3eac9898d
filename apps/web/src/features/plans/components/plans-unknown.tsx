import { Box, Button, Group } from '@mantine/core';
import { Notice } from '../../../components/notice.tsx';
import { messageOf } from '../../../components/notify.ts';

/** The server could not tell its plans: what is shown instead, and a way to ask again. */
export function PlansUnknown({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Notice tone="warning" mb={20} live="alert">
      <Group gap="12px 20px">
        <Box component="p" flex="1 1 320px" maw="76ch">
          <strong>The plans could not be loaded.</strong> {messageOf(error)} Shown are the monthly
          prices that Engram comes with; nothing can be bought until the server tells its own.
        </Box>
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Group>
    </Notice>
  );
}

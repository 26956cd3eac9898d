import { Stack } from '@mantine/core';
import { Assistants } from '../features/integrations/components/assistants.tsx';
import { Bookmarklet } from '../features/integrations/components/bookmarklet.tsx';
import { Mailboxes } from '../features/mailboxes/components/mailboxes.tsx';
import { Webhooks } from '../features/webhooks/components/webhooks.tsx';

export default function Integrations() {
  return (
    <Stack gap={32}>
      <Assistants />
      <Bookmarklet />
      <Mailboxes />
      <Webhooks />
    </Stack>
  );
}

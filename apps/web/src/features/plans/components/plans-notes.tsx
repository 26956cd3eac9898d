import type { Metrics } from '@engram/contract';
import { Stack, Text } from '@mantine/core';
import { useAppSettings } from '../../../api/settings.ts';

/** What holds for all plans, and what this server does about limits and money. */
export function PlansNotes({ metrics }: { metrics: Metrics | undefined }) {
  const { payments } = useAppSettings();
  return (
    <Stack gap={4} mt={20}>
      <Text size="sm" maw="82ch" c="dimmed">
        Every plan reads the same kinds of files and answers in the same way; they differ in how
        many questions you can ask and how much you can keep. Days, weeks and months are counted in
        UTC.
      </Text>
      {metrics?.enforced && (
        <Text size="sm" maw="82ch" c="dimmed">
          Limits are enforced on this server: where one is used up, each further question takes a
          credit.
        </Text>
      )}
      {metrics?.enforced === false && (
        <Text size="sm" maw="82ch" c="dimmed">
          Limits are not enforced on this server: use is counted and shown, and stops nobody.
        </Text>
      )}
      {payments.provider === 'sandbox' && (
        <Text size="sm" maw="82ch" c="dimmed">
          Plans are bought in a sandbox on this server: no money moves.
        </Text>
      )}
    </Stack>
  );
}

import { signExport } from '@engram/contract/browser';
import { Box, Button, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useAction } from '../../../api/use-action.ts';
import { download } from '../../../browser/download.ts';
import { FailureNote } from '../../../components/failure-note.tsx';

/** Everything as one zip, saved by the browser while the server makes it. */
export function Export() {
  const sign = useAction(signExport);
  return (
    <Box py={8}>
      <Group justify="space-between" gap="8px 24px">
        <Box flex="1 1 260px" miw={0}>
          <Text component="h4" fw={600}>
            Export
          </Text>
          <Text size="sm" maw="68ch" mt={2} c="dimmed">
            One zip with all your files as you added them, your questions with their answers and
            sources, your keywords and your profile: as Markdown to read, and as JSON for programs.
            Credits and invoices are listed in it. Shared links and API keys are not.
          </Text>
        </Box>
        <Button
          variant="default"
          leftSection={<IconDownload size={17} stroke={1.7} />}
          loading={sign.isPending}
          onClick={() => sign.mutate({}, { onSuccess: ({ url }) => download(url) })}
        >
          Export
        </Button>
      </Group>
      <Text component="output" display="block" size="sm" c="dimmed">
        {sign.isSuccess &&
          'The download has begun. Its size is not known before its end, as it is made while your browser saves it.'}
      </Text>
      {sign.isError && <FailureNote title="The export was not started." error={sign.error} />}
    </Box>
  );
}

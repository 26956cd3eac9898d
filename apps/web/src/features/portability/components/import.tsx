import { Box, Button, FileButton, Group, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { FailureNote } from '../../../components/failure-note.tsx';
import { Progress } from '../../../components/progress.tsx';
import { formatMegabytes, middleCut } from '../../../format/format.ts';
import { useImport } from '../use-import.ts';
import { headingOf, ImportOutcome } from './import-outcome.tsx';

const isStop = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError';

/** Asks before the window is closed while something is sent. */
function useStay(isSending: boolean): void {
  useEffect(() => {
    if (!isSending) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isSending]);
}

/** Takes in an export: sends it, waits while it is taken in, and says what came of it. */
export function Import() {
  const { mutate, reset, stop, isPending, isError, error, data, variables, sent } = useImport();
  const again = useRef<() => void>(null);
  const isSending = isPending && sent < 1;
  useStay(isSending);

  const choose = (file: File | null): void => {
    if (file) mutate(file);
    // The same file may be chosen once more.
    again.current?.();
  };

  return (
    <Box py={8}>
      <Group justify="space-between" gap="8px 24px">
        <Box flex="1 1 260px" miw={0}>
          <Text component="h4" fw={600}>
            Import
          </Text>
          <Text size="sm" maw="68ch" mt={2} c="dimmed">
            Brings in a zip that Engram has exported, here or on another server. Nothing comes in
            twice, and nothing that you have is replaced. Credits do not come along.
          </Text>
        </Box>
        <FileButton
          accept=".zip,application/zip"
          disabled={isPending}
          inputProps={{ 'aria-label': 'Export to be imported' }}
          resetRef={again}
          onChange={choose}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<IconUpload size={17} stroke={1.7} />}
              disabled={isPending}
            >
              Import
            </Button>
          )}
        </FileButton>
      </Group>
      {isPending && <Sending file={variables} sent={sent} onStop={isSending ? stop : null} />}
      <Text
        component="output"
        display="block"
        size="sm"
        {...(data ? { fw: 600 } : { c: 'dimmed' })}
      >
        {isPending && !isSending && 'Taking it in… You can leave this page; it goes on by itself.'}
        {isError && isStop(error) && 'The import was stopped. Nothing was taken in.'}
        {data && !isPending && headingOf(data)}
      </Text>
      {data && !isPending && <ImportOutcome result={data} onDismiss={reset} />}
      {isError && !isStop(error) && (
        <FailureNote title="The export was not taken in." error={error} />
      )}
    </Box>
  );
}

interface SendingProps {
  file: File;
  /** 0 to 1. */
  sent: number;
  /** Null where it cannot be stopped any more. */
  onStop: (() => void) | null;
}

function Sending({ file, sent, onStop }: SendingProps) {
  return (
    <Box mt={8}>
      <Progress
        share={sent}
        animated={onStop === null}
        label={onStop ? 'Export being uploaded' : 'Export being taken in'}
        words={
          <Text span inherit c="dimmed">
            <bdi>{middleCut(file.name)}</bdi> · {formatMegabytes(file.size)} MB
          </Text>
        }
        aside={
          onStop && (
            <Button variant="subtle" color="gray" size="compact-sm" onClick={onStop}>
              Stop
            </Button>
          )
        }
      />
    </Box>
  );
}

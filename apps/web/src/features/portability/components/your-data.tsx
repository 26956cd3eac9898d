import type { ImportResult } from '@engram/contract';
import { importAccount, signExport } from '@engram/contract/browser';
import { Box, Button, FileButton, Group, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { api } from '../../../api/api.ts';
import { useAction } from '../../../api/use-action.ts';
import { clearLists } from '../../../artifacts/actions.ts';
import { download } from '../../../artifacts/signed-file.ts';
import { FailureNote } from '../../../components/notice.tsx';
import { Panel } from '../../../components/panel.tsx';
import { Progress } from '../../../components/progress.tsx';
import { formatMegabytes, shortenMiddle } from '../../../format/format.ts';
import { isSignedIn, writeSession } from '../../../session/session.ts';
import { ImportOutcome, summaryOf } from './import-result.tsx';

export const YourData = () => (
  <Panel title="Your data" lead="Export all of your data, or import it from another server.">
    <div>
      <Export />
      <Import />
    </div>
  </Panel>
);

interface PartProps {
  title: string;
  text: string;
  button: ReactNode;
  status: ReactNode;
  isStatusStrong?: boolean;
  children: ReactNode;
}

const Part = ({ title, text, button, status, isStatusStrong = false, children }: PartProps) => (
  <Box py={8}>
    <Group justify="space-between" gap="8px 24px">
      <Box flex="1 1 260px" miw={0}>
        <Text component="h4" fw={600}>
          {title}
        </Text>
        <Text size="sm" maw="68ch" mt={2} c="dimmed">
          {text}
        </Text>
      </Box>
      {button}
    </Group>
    <Text
      component="output"
      display="block"
      size="sm"
      {...(isStatusStrong ? { fw: 600 } : { c: 'dimmed' })}
    >
      {status}
    </Text>
    {children}
  </Box>
);

function Export() {
  const sign = useAction(signExport);
  return (
    <Part
      title="Export"
      text="A zip of all your files as you added them, your questions with answers and sources, your keywords and your profile, as Markdown to read and as JSON for programs. It lists credits and invoices, but not shared links and API keys."
      button={
        <Button
          variant="default"
          leftSection={<IconDownload size={17} stroke={1.7} />}
          loading={sign.isPending}
          onClick={() => sign.mutate({}, { onSuccess: ({ url }) => download(url) })}
        >
          Export
        </Button>
      }
      status={
        sign.isSuccess &&
        'The download has started. Its size is not known in advance, as the export is created during the download.'
      }
    >
      <FailureNote title="The export was not started." error={sign.error} />
    </Part>
  );
}

const isAbort = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError';

function useImport() {
  const queries = useQueryClient();
  const [sent, setSent] = useState(0);
  const controller = useRef<AbortController | null>(null);
  const sending = useMutation({
    mutationFn: async (file: File): Promise<ImportResult> => {
      const { signal } = (controller.current = new AbortController());
      setSent(0);
      const files = [{ name: file.name, content: file }];
      const options = { signal, onProgress: setSent };
      return (await api.upload(importAccount, files, {}, options)).data;
    },
    onSuccess({ files }) {
      if (!isSignedIn()) return;
      if (files.added + files.present > 0) writeSession('artifactsExist', 'true');
      clearLists(queries);
    },
    // Part of it may have been imported before the failure.
    onError: () => void (isSignedIn() && clearLists(queries)),
  });
  return {
    ...sending,
    sent,
    /** Stops the upload. The import starts only when the upload is complete. */
    stop: () => controller.current?.abort(),
  };
}

function Import() {
  const { mutate, reset, stop, isPending, isError, error, data, variables, sent } = useImport();
  const resetInput = useRef<() => void>(null);
  const isSending = isPending && sent < 1;
  const isStopped = isError && isAbort(error);
  useWindowEvent('beforeunload', (event) => {
    if (isSending) event.preventDefault();
  });

  const choose = (file: File | null): void => {
    if (file) mutate(file);
    // Allows the same file to be chosen again.
    resetInput.current?.();
  };

  return (
    <Part
      title="Import"
      text="Imports a zip that this or another Engram server has exported. Nothing is imported twice, and nothing is replaced. Credits are not imported."
      button={
        <FileButton
          accept=".zip,application/zip"
          disabled={isPending}
          inputProps={{ 'aria-label': 'Export to be imported' }}
          resetRef={resetInput}
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
      }
      status={
        <>
          {isPending && !isSending && 'Importing… It continues if you leave this page.'}
          {isStopped && 'The import was stopped. Nothing was imported.'}
          {data && summaryOf(data)}
        </>
      }
      isStatusStrong={data !== undefined}
    >
      {isPending && (
        <Box mt={8}>
          <Progress
            share={sent}
            animated={!isSending}
            label={isSending ? 'Export being uploaded' : 'Export being imported'}
            words={
              <Text span inherit c="dimmed">
                <bdi>{shortenMiddle(variables.name)}</bdi> · {formatMegabytes(variables.size)} MB
              </Text>
            }
            aside={
              isSending && (
                <Button variant="subtle" color="gray" size="compact-sm" onClick={stop}>
                  Stop
                </Button>
              )
            }
          />
        </Box>
      )}
      {data && <ImportOutcome result={data} onDismiss={reset} />}
      <FailureNote title="The export was not imported." error={isStopped ? null : error} />
    </Part>
  );
}

import { listTypes, mediaTypesText } from '@engram/contract/browser';
import { Button, Drawer, Group, Paper, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconCloudUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { ExpiredNote } from '../../../components/expired-note.tsx';
import { useMetrics } from '../../../session/account.ts';
import { isSignedIn } from '../../../session/session.ts';
import { useAppSettings } from '../../../api/settings.ts';
import { acceptedTypes, refusalHeadings, type Refusal } from '../file-rules.ts';
import { isOpen } from '../upload-item.ts';
import { uploadQueueOf } from '../upload-queue.ts';
import { useHandedIn, type HandedInProps } from '../use-handed-in.ts';
import { KeywordInput } from './keyword-input.tsx';
import { NoteField } from './note-field.tsx';
import { Refusals } from './refusals.tsx';
import classes from './upload-panel.module.css';
import { UploadRow } from './upload-row.tsx';

const NOTHING_CHOSEN = 'Please upload at least one file or provide artifact text.';

interface UploadPanelProps extends HandedInProps {
  opened: boolean;
  onClose: () => void;
  /** The person's active keywords. */
  knownKeywords: readonly string[];
  onCreateKeyword: (keyword: string) => Promise<unknown>;
}

/** Takes files and typed text, from the right edge; closing it keeps what is in it. */
export function UploadPanel(props: UploadPanelProps) {
  const { opened, onClose, knownKeywords, onCreateKeyword } = props;
  const navigate = useNavigate();
  const settings = useAppSettings();
  const { data: metrics } = useMetrics();
  const expired = metrics?.status === 'Expired';
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const openChooser = useRef<() => void>(null);

  const queue = uploadQueueOf(useQueryClient());
  const { items: all, form } = useSyncExternalStore(queue.subscribe, queue.get);
  const { text, keywords, shares } = form;
  const items = all.filter(({ isInPanel }) => isInPanel);
  const isSending = items.some(isOpen);
  const isEmpty = items.length === 0 && text.trim() === '';
  const wasSending = useRef(false);

  const add = (files: readonly File[]): void => {
    setRefusals(queue.choose(files));
    setProblem(null);
  };
  useHandedIn({
    ...props,
    text,
    shares,
    isEmpty,
    onTake: (files, change, notice) => {
      queue.write(change);
      add(files);
      setProblem(notice);
    },
    onEmpty: () => queue.write({ shares: [] }),
  });

  useEffect(() => {
    const isDone = wasSending.current && !isSending;
    wasSending.current = isSending;
    if (!isDone || !isEmpty) return;
    queue.write({ keywords: [] });
    // A user who has closed the panel stays on the page.
    if (opened) void navigate(paths.files);
    onClose();
  }, [wasSending, isSending, isEmpty, opened, queue, onClose, navigate]);

  const upload = (): void => {
    setRefusals([]);
    setProblem(isEmpty ? NOTHING_CHOSEN : null);
    if (!isSignedIn()) void navigate(paths.login);
    else if (!isEmpty) queue.submit();
  };

  return (
    <Drawer.Root opened={opened} onClose={onClose} position="right" size={520} keepMounted>
      <Drawer.Overlay />
      <Drawer.Content className={classes.content ?? ''}>
        <Dropzone
          className={classes.zone ?? ''}
          openRef={openChooser}
          accept={acceptedTypes}
          activateOnClick={false}
          activateOnKeyboard={false}
          enablePointerEvents
          disabled={isSending || expired}
          // `onDropAny` hears of all files, refused ones included, at once.
          onDrop={() => undefined}
          onDropAny={(files, rejections) => add([...files, ...rejections.map(({ file }) => file)])}
          inputProps={{ 'aria-label': 'Files to upload' }}
        >
          <Drawer.Title px={20} pt={20} pb={14} fz={18} lh={1.35}>
            Upload your files to start organizing your content
          </Drawer.Title>
          <Stack className={classes.body ?? ''} flex={1} mih={0} gap={18} px={20} pt={2} pb={20}>
            {expired && <ExpiredNote plans={paths.pricing} />}
            <Stack align="center" gap={10} px={20} pt={22} pb={18} className={classes.drop ?? ''}>
              <IconCloudUpload color="var(--eg-accent)" size={26} stroke={1.5} aria-hidden="true" />
              <Text inherit fw={500}>
                <Dropzone.Idle>Drop files anywhere in this panel</Dropzone.Idle>
                <Dropzone.Accept>Drop them to add them</Dropzone.Accept>
                <Dropzone.Reject>{refusalHeadings.type}</Dropzone.Reject>
              </Text>
              <Button
                variant="default"
                disabled={isSending || expired}
                onClick={() => openChooser.current?.()}
              >
                Choose files
              </Button>
              <Text size="xs" c="dimmed">
                Supported formats: {listTypes()}. {mediaTypesText} up to {settings.mediaLimitMb} MB,
                everything else up to {settings.uploadLimitMb} MB.
              </Text>
            </Stack>
            <Refusals refusals={refusals} onDismiss={() => setRefusals([])} />
            {items.length > 0 && (
              <Paper component="ul" withBorder radius={12} flex="none" aria-label="Chosen files">
                {items.map((item) => (
                  <UploadRow
                    key={item.id}
                    item={item}
                    knownKeywords={knownKeywords}
                    onCreateKeyword={onCreateKeyword}
                    onTag={(chosen) => queue.tag(item, chosen)}
                    onRemove={() => queue.remove(item)}
                    locked={isSending}
                  />
                ))}
              </Paper>
            )}
            <KeywordInput
              label="Keywords for the whole upload"
              value={keywords}
              onChange={(chosen) => queue.write({ keywords: chosen })}
              known={knownKeywords}
              onCreate={onCreateKeyword}
              disabled={isSending || expired}
            />
            <NoteField
              value={text}
              onChange={(written) => {
                queue.write({ text: written });
                setProblem(null);
              }}
              readOnly={isSending || expired}
            />
          </Stack>
          <hr />
          <Group
            justify="flex-end"
            gap={10}
            px={20}
            pt={14}
            pb="calc(14px + env(safe-area-inset-bottom))"
          >
            {problem && (
              <Text flex="1 1 100%" size="sm" c="red" role="alert">
                {problem}
              </Text>
            )}
            <Button variant="default" size="md" onClick={onClose}>
              CLOSE
            </Button>
            {isSending ? (
              <Button size="md" color="red" variant="light" onClick={queue.stop}>
                STOP
              </Button>
            ) : (
              <Button size="md" disabled={expired} onClick={upload}>
                UPLOAD
              </Button>
            )}
          </Group>
        </Dropzone>
      </Drawer.Content>
    </Drawer.Root>
  );
}

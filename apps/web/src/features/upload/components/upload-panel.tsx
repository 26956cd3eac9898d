import { listTypes, mediaTypesText, countWords, TEXT_WORD_LIMIT } from '@engram/contract/browser';
import { Alert, Box, Button, Drawer, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconCloudUpload } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { ErrorText, ExpiredNote } from '../../../components/notice.tsx';
import { useMetrics } from '../../../session/account.ts';
import { isSignedIn } from '../../../session/session.ts';
import { useAppSettings } from '../../../api/settings.ts';
import {
  acceptedTypes,
  refusalHeadings,
  type Refusal,
  refusalAdvice,
  type RefusalKind,
} from '../file-rules.ts';
import { isOpen } from '../upload-item.ts';
import { useUploadQueue, useUploads } from '../upload-queue.ts';
import { uploadPanel } from '../../../artifacts/dialogs.ts';
import { KeywordInput } from './keyword-input.tsx';
import classes from './upload-panel.module.css';
import { UploadRow } from './upload-row.tsx';
import { WebPageField } from './web-page-field.tsx';

const NOTHING_CHOSEN = 'Please upload at least one file or provide artifact text.';

interface UploadPanelProps {
  opened: boolean;
  /** Called with the ids of content from other apps once it is uploaded or removed. */
  onSettled: (ids: readonly string[]) => void;
}

const close = (): void => uploadPanel.set(false);

/** Uploads files, a note and a web page. Closing the panel keeps its content. */
export default function UploadPanel({ opened, onSettled }: UploadPanelProps) {
  const navigate = useNavigate();
  const settings = useAppSettings();
  const { data: metrics } = useMetrics();
  const expired = metrics?.status === 'Expired';
  const openChooser = useRef<() => void>(null);
  const pageForm = useRef<HTMLFormElement>(null);

  const queue = useUploadQueue();
  const { items: all, form } = useUploads();
  const { text, page, keywords, shares, problem } = form;
  const items = all.filter(({ isInPanel }) => isInPanel);
  const isSending = items.some(isOpen);
  const isEmpty = items.length === 0 && text.trim() === '' && page.trim() === '';
  const wasSending = useRef(false);

  const isSettled = shares.length > 0 && isEmpty;
  useEffect(() => {
    if (!isSettled) return;
    onSettled(shares);
    queue.write({ shares: [] });
  }, [isSettled, shares, queue, onSettled]);

  useEffect(() => {
    const isDone = wasSending.current && !isSending;
    wasSending.current = isSending;
    if (!isDone || !isEmpty) return;
    queue.write({ keywords: [] });
    // If the panel was closed, the user stays on the current page.
    if (opened) void navigate(paths.files);
    close();
  }, [wasSending, isSending, isEmpty, opened, queue, navigate]);

  const upload = (): void => {
    queue.write({ refusals: [], problem: isEmpty ? NOTHING_CHOSEN : null });
    if (!isSignedIn()) return void navigate(paths.login);
    if (page.trim() !== '') pageForm.current?.requestSubmit();
    if (items.length > 0 || text.trim() !== '') queue.submit();
  };

  return (
    <Drawer.Root opened={opened} onClose={close} position="right" size={520} keepMounted>
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
          // `onDropAny` gets all files, including refused ones.
          onDrop={() => undefined}
          onDropAny={(files, rejections) =>
            queue.choose([...files, ...rejections.map(({ file }) => file)])
          }
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
            <Refusals />
            {items.length > 0 && (
              <Paper component="ul" radius={12} flex="none" aria-label="Chosen files">
                {items.map((item) => (
                  <UploadRow key={item.id} item={item} locked={isSending} />
                ))}
              </Paper>
            )}
            <KeywordInput
              label="Keywords for the whole upload"
              value={keywords}
              onChange={(chosen) => queue.write({ keywords: chosen })}
              disabled={isSending || expired}
            />
            <NoteField readOnly={isSending || expired} />
            <WebPageField formRef={pageForm} disabled={isSending || expired} />
          </Stack>
          <hr />
          <Group
            justify="flex-end"
            gap={10}
            px={20}
            pt={14}
            pb="calc(14px + env(safe-area-inset-bottom))"
          >
            <ErrorText flex="1 1 100%">{problem}</ErrorText>
            <Button variant="default" size="md" onClick={close}>
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

function Refusals() {
  const queue = useUploadQueue();
  const { refusals } = useUploads().form;
  if (refusals.length === 0) return null;
  const kinds = Object.entries(Object.groupBy(refusals, ({ kind }) => kind));
  return (
    <Alert
      color="red"
      flex="none"
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={() => queue.write({ refusals: [] })}
    >
      <Stack gap={8} fz="sm">
        {(kinds as [RefusalKind, Refusal[]][]).map(([kind, refused]) => (
          <div key={kind}>
            <Text span inherit fw={600} c="red">
              {refusalHeadings[kind]}
            </Text>
            <Text inherit c="dimmed">
              {refusalAdvice[kind]}
            </Text>
            <Box component="ul" mt={2} mah={160} c="dimmed" style={{ overflowY: 'auto' }}>
              {refused.map(({ id, message }) => (
                <li key={id}>{message}</li>
              ))}
            </Box>
          </div>
        ))}
      </Stack>
    </Alert>
  );
}

function NoteField({ readOnly }: { readOnly: boolean }) {
  const queue = useUploadQueue();
  const { text } = useUploads().form;
  const words = countWords(text);
  const isFull = words >= TEXT_WORD_LIMIT;
  return (
    <div>
      <Textarea
        label="Text"
        placeholder="Or write or paste a note"
        autosize
        minRows={3}
        maxRows={9}
        value={text}
        readOnly={readOnly}
        onChange={({ currentTarget: { value } }) =>
          queue.write({ text: limitWords(text, value, TEXT_WORD_LIMIT), problem: null })
        }
      />
      <Group justify="space-between" gap={12} mt={4} wrap="nowrap" fz="xs">
        <Text component="output" inherit c="yellow">
          {isFull && `Maximum word limit reached of ${TEXT_WORD_LIMIT} words`}
        </Text>
        <Text span inherit flex="none" c="dimmed">
          {words} / {TEXT_WORD_LIMIT} words
        </Text>
      </Group>
    </div>
  );
}

/**
 * Limits the words of an edited text. Typed or pasted words that do not fit are removed.
 */
export function limitWords(before: string, after: string, limit: number): string {
  if (countWords(after) <= limit) return after;
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let [end, rest] = [after.length, before.length];
  while (end > start && rest > start && after[end - 1] === before[rest - 1]) {
    end -= 1;
    rest -= 1;
  }
  const inserted = after.slice(start, end);
  const [head, tail] = [after.slice(0, start), after.slice(end)];
  const room = Math.max(0, limit - countWords(head + tail) + 2);
  for (const wordEnd of wordEnds(inserted).slice(0, room).toReversed()) {
    // The last inserted word must not join the word after it.
    const gap = wordEnd < inserted.length && /^\S/u.test(tail) ? ' ' : '';
    const fitting = head + inserted.slice(0, wordEnd) + gap + tail;
    if (countWords(fitting) <= limit) return fitting;
  }
  return countWords(before) <= limit ? before : after.slice(0, wordEnds(after)[limit - 1]);
}

const wordEnds = (text: string): number[] =>
  Array.from(text.matchAll(/\S+/gu), ({ 0: word, index }) => index + word.length);

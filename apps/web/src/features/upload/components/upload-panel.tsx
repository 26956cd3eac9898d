import { listTypes, mediaTypesText } from '@engram/contract/browser';
import { Button, Drawer, Group, Paper, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconCloudUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { ExpiredNote } from '../../../components/expired-note.tsx';
import { useMetrics } from '../../../session/account.ts';
import { isSignedIn } from '../../../session/session.ts';
import { useAppSettings } from '../../../api/settings.ts';
import { acceptedTypes, refusalHeadings, refusalOf, type Refusal } from '../file-rules.ts';
import { isEmpty, newItem } from '../upload-state.ts';
import { useHandedIn, type HandedInProps } from '../use-handed-in.ts';
import { useUpload } from '../use-upload.ts';
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
  const isOpen = useRef(opened);
  useEffect(() => {
    isOpen.current = opened;
  });

  const { content, dispatch, isSending, send, stop } = useUpload();
  /** Leaves the panel empty, for the files. */
  const finish = (): void => {
    dispatch({ type: 'clear' });
    // Somebody who has closed the panel and gone on is not pulled away from there.
    if (isOpen.current) void navigate(paths.files);
    onClose();
  };

  /** Tells of the files that cannot be taken; answers the others. */
  const judge = (files: readonly File[]): File[] => {
    const judged = files.map((file) => ({ file, refusal: refusalOf(file, settings) }));
    setRefusals(judged.flatMap(({ refusal }) => refusal ?? []));
    return judged.filter(({ refusal }) => !refusal).map(({ file }) => file);
  };
  const add = (files: readonly File[]): void => {
    dispatch({ type: 'add', items: judge(files).map((file) => newItem(file)) });
    setProblem(null);
  };
  useHandedIn({ ...props, content, dispatch, judge, onNotice: setProblem });

  const upload = async (): Promise<void> => {
    setRefusals([]);
    setProblem(isEmpty(content) ? NOTHING_CHOSEN : null);
    if (!isSignedIn()) void navigate(paths.login);
    else if (!isEmpty(content) && (await send())) finish();
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
            {content.items.length > 0 && (
              <Paper component="ul" withBorder radius={12} flex="none" aria-label="Chosen files">
                {content.items.map((item) => (
                  <UploadRow
                    key={item.id}
                    item={item}
                    knownKeywords={knownKeywords}
                    onCreateKeyword={onCreateKeyword}
                    onTag={(keywords) => dispatch({ type: 'tag', id: item.id, keywords })}
                    onRemove={() => dispatch({ type: 'remove', id: item.id })}
                    locked={isSending}
                  />
                ))}
              </Paper>
            )}
            <KeywordInput
              label="Keywords for the whole upload"
              value={content.keywords}
              onChange={(keywords) => dispatch({ type: 'tagAll', keywords })}
              known={knownKeywords}
              onCreate={onCreateKeyword}
              disabled={isSending || expired}
            />
            <NoteField
              value={content.text}
              onChange={(text) => {
                dispatch({ type: 'write', text });
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
              <Button size="md" color="red" variant="light" onClick={stop}>
                STOP
              </Button>
            ) : (
              <Button size="md" disabled={expired} onClick={() => void upload()}>
                UPLOAD
              </Button>
            )}
          </Group>
        </Dropzone>
      </Drawer.Content>
    </Drawer.Root>
  );
}

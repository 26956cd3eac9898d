import { countWords, TEXT_WORD_LIMIT } from '@engram/contract/browser';
import { Button, Skeleton, Stack, Text, Textarea } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { EditedNote } from '../../../artifacts/note-editor.ts';
import { Dialog, DialogFoot } from '../../../components/dialog.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { Notice } from '../../../components/notice.tsx';
import { messageOf } from '../../../components/notify.ts';
import { useEditNote, useNoteText } from '../api/edit-note.ts';

interface NoteEditorProps {
  note: EditedNote;
  onClose: () => void;
}

/** Edits a note's text; what was not saved stays in this browser until it is, or is discarded. */
export default function NoteEditor({ note, onClose }: NoteEditorProps) {
  const kept = useNoteText(note.artifactId);
  const save = useEditNote(note.artifactId);
  const [draft, setDraft, forgetDraft] = useLocalStorage<string | null>({
    key: `engram-note-${note.artifactId}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const text = draft ?? kept.data ?? '';
  const words = countWords(text);
  const isChanged = draft !== null && draft !== kept.data;
  const cannotSave = !isChanged || words === 0 || words > TEXT_WORD_LIMIT;
  const submit = (): void => {
    if (cannotSave || save.isPending) return;
    save.mutate(text, {
      onSuccess: () => {
        forgetDraft();
        onClose();
      },
    });
  };
  return (
    <Dialog opened onClose={onClose} title={`Edit ${note.fileName}`} size="lg">
      {kept.error ? (
        <ErrorState
          title="The note could not be read."
          error={kept.error}
          onRetry={() => void kept.refetch()}
        />
      ) : (
        <Stack gap="sm">
          {kept.isPending ? (
            <Skeleton h={240} />
          ) : (
            <Textarea
              aria-label="Text"
              data-autofocus
              autosize
              minRows={9}
              maxRows={20}
              value={text}
              error={
                words > TEXT_WORD_LIMIT && `Maximum word limit reached of ${TEXT_WORD_LIMIT} words`
              }
              onChange={(event) => setDraft(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
              }}
            />
          )}
          {save.error && (
            <Notice tone="danger" live="alert">
              {messageOf(save.error)}
            </Notice>
          )}
          <DialogFoot
            words={
              <Text size="xs" c="dimmed">
                {words} / {TEXT_WORD_LIMIT} words{isChanged && ' · draft kept in this browser'}
              </Text>
            }
          >
            <Button
              variant="default"
              disabled={!isChanged}
              onClick={() => {
                forgetDraft();
                onClose();
              }}
            >
              Discard changes
            </Button>
            <Button disabled={cannotSave} loading={save.isPending} onClick={submit}>
              Save
            </Button>
          </DialogFoot>
        </Stack>
      )}
    </Dialog>
  );
}

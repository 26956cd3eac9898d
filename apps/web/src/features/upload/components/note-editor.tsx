import { countWords, editNote, getArtifactText, TEXT_WORD_LIMIT } from '@engram/contract/browser';
import { Button, Skeleton, Stack, Text, Textarea } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useAction } from '../../../api/use-action.ts';
import { callQuery } from '../../../api/use-call.ts';
import { recordUpload } from '../../../artifacts/actions.ts';
import { editedNote, type EditedNote } from '../../../artifacts/dialogs.ts';
import { Dialog, DialogFoot } from '../../../components/dialog.tsx';
import { ErrorState } from '../../../components/empty-state.tsx';
import { ErrorText } from '../../../components/notice.tsx';
import { messageOf, notifySuccess } from '../../../components/notify.ts';

/** Edits a note's text. Unsaved changes stay in this browser until they are saved or discarded. */
export default function NoteEditor({ artifactId, fileName }: EditedNote) {
  const params = { artifactId };
  const close = (): void => editedNote.set(null);
  const stored = callQuery(getArtifactText, { params });
  const call = useQuery({
    ...stored,
    // Separate from the viewer's cache, so that editing starts with the server's current text and the
    // text does not change during it.
    queryKey: [...stored.queryKey, 'edited'],
    staleTime: Infinity,
    gcTime: 0,
  });
  const save = useAction(editNote, {
    onSuccess: (_data, _input, _before, { client }) => {
      recordUpload(client);
      notifySuccess('Note saved. Answers use the new text once it is indexed.');
    },
    invalidates: ['artifacts'],
  });
  const [draft, setDraft, forgetDraft] = useLocalStorage<string | null>({
    key: `engram-note-${artifactId}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const text = draft ?? call.data ?? '';
  const words = countWords(text);
  const isChanged = draft !== null && draft !== call.data;
  const isInvalid = !isChanged || words === 0 || words > TEXT_WORD_LIMIT;
  const submit = (): void => {
    if (isInvalid || save.isPending) return;
    save.mutate(
      { params, body: { text } },
      {
        onSuccess: () => {
          forgetDraft();
          close();
        },
      },
    );
  };
  return (
    <Dialog opened onClose={close} title={`Edit ${fileName}`} size="lg">
      {call.error ? (
        <ErrorState title="The note could not be read." error={call.error} onRetry={call.refetch} />
      ) : (
        <Stack gap="sm">
          {call.isPending ? (
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
          <ErrorText>{save.error && messageOf(save.error)}</ErrorText>
          <DialogFoot
            words={
              <Text size="xs" c="dimmed">
                {words} / {TEXT_WORD_LIMIT} words{isChanged && ' · draft saved in this browser'}
              </Text>
            }
          >
            <Button
              variant="default"
              disabled={!isChanged}
              onClick={() => {
                forgetDraft();
                close();
              }}
            >
              Discard changes
            </Button>
            <Button disabled={isInvalid} loading={save.isPending} onClick={submit}>
              Save
            </Button>
          </DialogFoot>
        </Stack>
      )}
    </Dialog>
  );
}

import type { Artifact } from '@engram/contract';
import { Affix, Group, Paper, ScrollArea, Stack, Text, Button, Overlay } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX, IconCloudUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useDeletions } from '../../../artifacts/deletions.ts';
import { uploadPanel } from '../../../artifacts/dialogs.ts';
import { useStore } from '../../../browser/store.ts';
import { IconButton } from '../../../components/icon-button.tsx';
import { plural } from '../../../format/format.ts';
import { stateOf, type TrayStep, TrayRow } from './tray-row.tsx';
import { useUploadQueue, useUploads } from '../upload-queue.ts';
import { countWords, TEXT_WORD_LIMIT, getArtifact, listArtifacts } from '@engram/contract/browser';
import { ApiError } from '@engram/client';
import { api } from '../../../api/api.ts';
import { keyOf } from '../../../api/keys.ts';

const steps: readonly TrayStep[] = ['sending', 'reading', 'ready', 'failed'];
const stepTexts: Record<TrayStep, string> = {
  waiting: 'waiting to be sent',
  sending: 'being sent',
  reading: 'being read',
  ready: 'ready',
  failed: 'failed',
};

function useAnnouncement(current: readonly { id: string; name: string; step: TrayStep }[]): string {
  const previous = useRef<ReadonlyMap<string, TrayStep>>(new Map());
  const [announcement, setAnnouncement] = useState('');
  // A string, so that a new percentage is not a change.
  const files = JSON.stringify(current);
  useEffect(() => {
    const known = JSON.parse(files) as typeof current;
    const changed = known.filter(({ id, step }) => previous.current.get(id) !== step);
    previous.current = new Map(known.map(({ id, step }) => [id, step]));
    const parts = steps.flatMap((step) => {
      const names = changed.filter((file) => file.step === step).map(({ name }) => name);
      if (names.length === 0) return [];
      return `${names.length === 1 ? names[0] : plural(names.length, 'file')}: ${stepTexts[step]}.`;
    });
    if (parts.length > 0) setAnnouncement(parts.join(' '));
  }, [files]);
  return announcement;
}

function titleOf(all: readonly TrayStep[]): string {
  const count = (step: TrayStep): number => all.filter((other) => other === step).length;
  const unsent = count('waiting') + count('sending');
  if (unsent > 0) return `Sending ${plural(unsent, 'file')}`;
  if (count('reading') > 0) return `Reading ${plural(count('reading'), 'file')}`;
  if (count('failed') > 0) return `${count('failed')} of ${plural(all.length, 'file')} failed`;
  return `${plural(all.length, 'file')} ready`;
}

const small = { size: 28, iconSize: 16 };

/** Beside the evidence pane, above the input of a conversation. */
const trayPosition = {
  right: 'calc(16px + var(--eg-evidence, 0px))',
  bottom:
    'calc(16px + max(var(--eg-bottom-bar) + var(--eg-selection-bar, 0px), var(--eg-composer, 0px)))',
};

/** The files that are being uploaded. `isOver` is true while files are dragged over the page. */
export default function Tray({ isOver }: { isOver: boolean }) {
  const queue = useUploadQueue();
  useEffect(() => void queue.resume(), [queue]);
  const { items: all, pastedText, isOffline, isCollapsed: collapsed } = useUploads();
  const { hidden } = useDeletions();
  // The panel shows its own uploads.
  const isPanelOpen = useStore(uploadPanel);
  const items = all.filter(
    ({ artifactId, status, isInPanel }) =>
      !hidden.has(artifactId ?? '') && status !== 'chosen' && !(isInPanel && isPanelOpen),
  );
  const artifacts = useArtifactStates(items.flatMap(({ artifactId }) => artifactId ?? []));
  const known = items.filter(({ isKnown }) => isKnown).length;
  const artifactOf = (id: string | null): Artifact | undefined =>
    artifacts.get(id ?? '') ?? undefined;
  useEffect(() => {
    for (const item of all) {
      if (artifacts.get(item.artifactId ?? '') === null) queue.remove(item);
    }
  }, [all, artifacts, queue]);
  const states = items.map((item) => ({
    id: item.id,
    name: item.name,
    step: stateOf(item, artifactOf(item.artifactId)),
  }));
  const announcement = useAnnouncement(states);
  const current = states.map(({ step }) => step);
  const isBusy = current.some((step) => step === 'waiting' || step === 'sending');
  const isShown = items.length > 0 || pastedText !== null;
  return (
    <>
      {isOver && <DropTarget />}
      <output className="eg-visually-hidden">{announcement}</output>
      {isShown && (
        <Affix
          position={trayPosition}
          zIndex={140}
          w="min(340px, calc(100vw - 32px))"
          data-screen-only
        >
          <Paper component="section" aria-label="Incoming files" shadow="lg" radius="md">
            {pastedText !== null && <PastedNote key={pastedText} text={pastedText} />}
            {items.length > 0 && (
              <>
                <Group justify="space-between" wrap="nowrap" px="sm" py={6} gap="xs">
                  <Text size="sm" fw={600}>
                    {isOffline ? 'Waiting for the connection' : titleOf(current)}
                  </Text>
                  <Group gap={2} wrap="nowrap">
                    <IconButton
                      {...small}
                      icon={collapsed ? IconChevronUp : IconChevronDown}
                      label={collapsed ? 'Show the files' : 'Hide the files'}
                      aria-expanded={!collapsed}
                      onClick={queue.toggle}
                    />
                    {!isBusy && (
                      <IconButton {...small} icon={IconX} label="Close" onClick={queue.clear} />
                    )}
                  </Group>
                </Group>
                {known > 0 && (
                  <Text size="xs" c="dimmed" px="sm" pb={8}>
                    {plural(known, 'was', 'were')} uploaded before. Keywords were merged.
                  </Text>
                )}
                {!collapsed && (
                  <ScrollArea.Autosize mah="min(40dvh, 340px)" viewportProps={{ tabIndex: 0 }}>
                    <Stack component="ul" gap="sm" m={0} px="sm" pb="sm" pt={2}>
                      {items.map((item) => (
                        <TrayRow key={item.id} item={item} artifact={artifactOf(item.artifactId)} />
                      ))}
                    </Stack>
                  </ScrollArea.Autosize>
                )}
              </>
            )}
          </Paper>
        </Affix>
      )}
    </>
  );
}

function PastedNote({ text }: { text: string }) {
  const queue = useUploadQueue();
  const words = countWords(text);
  const saveButton = useRef<HTMLButtonElement>(null);
  // The user has pasted with the keyboard, so Enter saves the text.
  useEffect(() => saveButton.current?.focus({ preventScroll: true }), []);
  return (
    <Stack
      gap={6}
      p="sm"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        queue.discardPastedText();
      }}
    >
      <Text size="sm" fw={600}>
        Save as a note?
      </Text>
      <Text size="sm" c="dimmed" lineClamp={3}>
        {text}
      </Text>
      <Text size="xs" c="dimmed">
        {plural(words, 'word')}
        {words > TEXT_WORD_LIMIT &&
          `: more than the ${TEXT_WORD_LIMIT} of a note, so it becomes a text file.`}
      </Text>
      <Group gap="xs">
        <Button ref={saveButton} size="xs" onClick={queue.savePastedText}>
          Save
        </Button>
        <Button size="xs" variant="default" onClick={queue.discardPastedText}>
          Discard
        </Button>
      </Group>
    </Stack>
  );
}

const DropTarget = () => (
  <Overlay
    fixed
    center
    color="var(--eg-body)"
    backgroundOpacity={0.88}
    zIndex={190}
    style={{ pointerEvents: 'none' }}
  >
    <Stack align="center" gap="xs" c="indigo">
      <IconCloudUpload size={40} stroke={1.4} aria-hidden="true" />
      <Text size="lg" fw={600}>
        Drop to add to your files
      </Text>
    </Stack>
  </Overlay>
);

/** Files in one poll, which contain the last uploads. */
const NEWEST = 200;
const MAX_SINGLE_READS = 4;
const POLL_MS = 1500;

/** Files by their ids; null for one that was deleted. */
type ArtifactStates = ReadonlyMap<string, Artifact | null>;

const isFinished = (file: Artifact | null | undefined): boolean =>
  file === null || file?.stage === 'ready' || file?.stage === 'failed';

async function fetchArtifact(artifactId: string, signal: AbortSignal): Promise<Artifact | null> {
  try {
    return (await api.call(getArtifact, { params: { artifactId } }, { signal })).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** The files with these ids, polled until all of them are extracted or have failed. */
function useArtifactStates(ids: readonly string[]): ArtifactStates {
  const { data } = useQuery({
    queryKey: [...keyOf(listArtifacts), 'tray'],
    queryFn: async ({ signal, client, queryKey }): Promise<ArtifactStates> => {
      const { data: files } = await api.call(
        listArtifacts,
        { query: { limit: NEWEST } },
        { signal },
      );
      const newest = new Map(files.map((file) => [file.artifactId, file]));
      // If the list is complete, a missing file was deleted.
      if (files.length < NEWEST) return new Map(ids.map((id) => [id, newest.get(id) ?? null]));
      const previous = client.getQueryState<ArtifactStates>(queryKey);
      const older = ids.filter((id) => !newest.has(id) && !isFinished(previous?.data?.get(id)));
      // Each poll reads other files, so that a slow one does not delay the others.
      const from =
        ((previous?.dataUpdateCount ?? 0) * MAX_SINGLE_READS) % Math.max(older.length, 1);
      const polled = [...older.slice(from), ...older.slice(0, from)].slice(0, MAX_SINGLE_READS);
      const fetched = await Promise.all(
        polled.map(async (id) => [id, await fetchArtifact(id, signal)] as const),
      );
      return new Map([...(previous?.data ?? []), ...newest, ...fetched]);
    },
    enabled: ids.length > 0,
    refetchInterval: ({ state }) => ids.some((id) => !isFinished(state.data?.get(id))) && POLL_MS,
  });
  return data ?? new Map();
}

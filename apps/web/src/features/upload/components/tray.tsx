import type { Artifact } from '@engram/contract';
import { ActionIcon, Affix, Group, Paper, ScrollArea, Stack, Text } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useDeletions } from '../../../artifacts/deletions.ts';
import { plural } from '../../../format/format.ts';
import { useReadings } from '../use-readings.ts';
import { stateOf, type TrayStep } from '../tray-steps.ts';
import { uploadQueueOf } from '../upload-queue.ts';
import { AskedNote } from './asked-note.tsx';
import { TrayRow, type TrayFile } from './tray-row.tsx';

interface TrayProps {
  /** Whether the upload panel is open, which shows its own uploads. */
  isPanelOpen: boolean;
  onAsk: (file: TrayFile) => void;
  onOpen: (file: TrayFile) => void;
}

const steps: readonly TrayStep[] = ['sending', 'reading', 'ready', 'failed'];
const said: Record<TrayStep, string> = {
  waiting: 'waiting to be sent',
  sending: 'being sent',
  reading: 'being read',
  ready: 'ready',
  failed: 'failed',
};

/** What has come to another step since the last time, as one sentence for each step. */
function useNews(now: ReadonlyMap<string, { name: string; step: TrayStep }>): string {
  const before = useRef<ReadonlyMap<string, TrayStep>>(new Map());
  const [news, setNews] = useState('');
  const key = JSON.stringify([...now].map(([id, { step }]) => [id, step]));
  useEffect(() => {
    const changed = [...now].filter(([id, { step }]) => before.current.get(id) !== step);
    before.current = new Map([...now].map(([id, { step }]) => [id, step]));
    const parts = steps.flatMap((step) => {
      const names = changed.filter(([, file]) => file.step === step).map(([, { name }]) => name);
      if (names.length === 0) return [];
      return `${names.length === 1 ? names[0] : plural(names.length, 'file')}: ${said[step]}.`;
    });
    if (parts.length > 0) setNews(parts.join(' '));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- percentages are no news
  }, [key]);
  return news;
}

/** What the head says of all files together. */
function headOf(all: readonly TrayStep[]): string {
  const count = (step: TrayStep): number => all.filter((other) => other === step).length;
  const open = count('waiting') + count('sending');
  if (open > 0) return `Sending ${plural(open, 'file')}`;
  if (count('reading') > 0) return `Reading ${plural(count('reading'), 'file')}`;
  if (count('failed') > 0) return `${count('failed')} of ${plural(all.length, 'file')} failed`;
  return `${plural(all.length, 'file')} ready`;
}

/** Beside the evidence, above the input of a talk. */
const place = {
  right: 'calc(16px + var(--eg-evidence, 0px))',
  bottom:
    'calc(16px + max(var(--eg-bottom-bar) + var(--eg-selection-bar, 0px), var(--eg-composer, 0px)))',
};

/** All uploads, from their sending until they answer questions. */
export function Tray({ isPanelOpen, onAsk, onOpen }: TrayProps) {
  const queue = uploadQueueOf(useQueryClient());
  const state = useSyncExternalStore(queue.subscribe, queue.get);
  const { items: all, asked, isOffline, isCollapsed: collapsed } = state;
  const { hidden } = useDeletions();
  const items = all.filter(
    ({ artifactId, status, isInPanel }) =>
      !hidden.has(artifactId ?? '') && status !== 'chosen' && !(isInPanel && isPanelOpen),
  );
  const readings = useReadings(items.flatMap(({ artifactId }) => artifactId ?? []));
  const known = items.filter(({ isKnown }) => isKnown).length;
  const readingOf = (id: string | null): Artifact | undefined =>
    readings.get(id ?? '') ?? undefined;
  useEffect(() => {
    // Files that were deleted meanwhile.
    for (const item of all) {
      if (readings.get(item.artifactId ?? '') === null) queue.remove(item);
    }
  }, [all, readings, queue]);
  const states = new Map(
    items.map((item) => [
      item.id,
      { name: item.name, step: stateOf(item, readingOf(item.artifactId)) },
    ]),
  );
  const news = useNews(states);
  const current = [...states.values()].map(({ step }) => step);
  const isBusy = current.some((step) => step === 'waiting' || step === 'sending');
  const isShown = items.length > 0 || asked !== null;
  return (
    <>
      <output className="eg-visually-hidden">{news}</output>
      {isShown && (
        <Affix position={place} zIndex={140} w="min(340px, calc(100vw - 32px))" data-screen-only>
          <Paper component="section" aria-label="Incoming files" shadow="lg" withBorder radius="md">
            {asked !== null && (
              <AskedNote
                key={asked}
                text={asked}
                onKeep={queue.keepAsked}
                onForget={queue.forgetAsked}
              />
            )}
            {items.length > 0 && (
              <>
                <Group justify="space-between" wrap="nowrap" px="sm" py={6} gap="xs">
                  <Text size="sm" fw={600}>
                    {isOffline ? 'Waiting for the connection' : headOf(current)}
                  </Text>
                  <Group gap={2} wrap="nowrap">
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={collapsed ? 'Show the files' : 'Hide the files'}
                      aria-expanded={!collapsed}
                      onClick={queue.toggle}
                    >
                      {collapsed ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
                    </ActionIcon>
                    {!isBusy && (
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label="Close"
                        onClick={queue.clear}
                      >
                        <IconX size={16} />
                      </ActionIcon>
                    )}
                  </Group>
                </Group>
                {known > 0 && (
                  <Text size="xs" c="dimmed" px="sm" pb={8}>
                    {plural(known, 'was', 'were')} there already; keywords were merged.
                  </Text>
                )}
                {!collapsed && (
                  <ScrollArea.Autosize mah="min(40dvh, 340px)" viewportProps={{ tabIndex: 0 }}>
                    <Stack component="ul" gap="sm" m={0} px="sm" pb="sm" pt={2}>
                      {items.map((item) => (
                        <TrayRow
                          key={item.id}
                          item={item}
                          queue={queue}
                          reading={readingOf(item.artifactId)}
                          onAsk={onAsk}
                          onOpen={onOpen}
                        />
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

import { ActionIcon, Group, Text } from '@mantine/core';
import { IconMicrophone, IconPlayerStopFilled } from '@tabler/icons-react';
import type { Dictation } from '../use-dictation.ts';
import classes from './dictation.module.css';
import { useEffect, useState } from 'react';
import { formatDuration } from '../../../format/format.ts';

const LABELS = {
  idle: 'Ask by voice',
  asking: 'Stop asking for the microphone',
  listening: 'Stop listening',
  writing: 'Stop writing down',
};

export function DictationButton({
  dictation,
  disabled,
}: {
  dictation: Dictation;
  disabled: boolean;
}) {
  const { status } = dictation.state;
  const label = LABELS[status];
  return (
    <ActionIcon
      className={classes.button ?? ''}
      variant={status === 'idle' ? 'default' : 'light'}
      flex="none"
      size={34}
      data-status={status}
      disabled={disabled && status === 'idle'}
      aria-label={label}
      title={label}
      onClick={dictation.toggle}
    >
      {status === 'idle' ? (
        <IconMicrophone size={18} stroke={1.8} />
      ) : (
        <IconPlayerStopFilled size={15} />
      )}
    </ActionIcon>
  );
}

function sentenceOf(state: Dictation['state']): string {
  switch (state.status) {
    case 'idle':
      return '';
    case 'asking':
      return 'Allow the microphone…';
    case 'listening':
      return state.instead ? 'Recording instead. Please speak…' : 'Listening…';
    case 'writing':
      return 'Writing it down…';
  }
}

function Timer({ since, mostMs }: { since: number; mostMs: number }) {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return (
    <Text span inherit flex="none" c="dimmed" aria-hidden="true">
      {formatDuration(Math.min(mostMs, Math.max(0, now - since)))} / {formatDuration(mostMs)}
    </Text>
  );
}

export function DictationStatus({ state }: { state: Dictation['state'] }) {
  const timed = state.status === 'listening' ? state.timed : null;
  return (
    <Group
      component="span"
      // Without text it takes no space.
      {...(state.status === 'idle' ? { pos: 'absolute' } : {})}
      gap={8}
      miw={0}
      wrap="nowrap"
      fz="sm"
    >
      <Text component="output" inherit truncate fw={500} c="indigo">
        {sentenceOf(state)}
      </Text>
      {timed && <Timer {...timed} />}
    </Group>
  );
}

import { Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { formatDuration } from '../../../format/format.ts';
import type { Dictation } from '../use-dictation.ts';

/** What is going on, in words that are read out once. */
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

/** What the microphone does; nothing while it is closed. */
export function DictationStatus({ state }: { state: Dictation['state'] }) {
  const timed = state.status === 'listening' ? state.timed : null;
  return (
    <Group
      component="span"
      // Empty, it takes no room between the others.
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

import { countWords, TEXT_WORD_LIMIT } from '@engram/contract/browser';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { plural } from '../../../format/format.ts';

interface AskedNoteProps {
  text: string;
  onKeep: () => void;
  onForget: () => void;
}

/** Asks whether pasted text is to be kept; Enter keeps it. */
export function AskedNote({ text, onKeep, onForget }: AskedNoteProps) {
  const words = countWords(text);
  const keep = useRef<HTMLButtonElement>(null);
  // Whoever pastes has the keyboard at hand.
  useEffect(() => keep.current?.focus({ preventScroll: true }), []);
  return (
    <Stack
      gap={6}
      p="sm"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onForget();
      }}
    >
      <Text size="sm" fw={600}>
        Keep as a note?
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
        <Button ref={keep} size="xs" onClick={onKeep}>
          Keep
        </Button>
        <Button size="xs" variant="default" onClick={onForget}>
          Discard
        </Button>
      </Group>
    </Stack>
  );
}

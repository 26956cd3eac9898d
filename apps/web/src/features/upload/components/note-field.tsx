import { Group, Text, Textarea } from '@mantine/core';
import { countWords, TEXT_WORD_LIMIT } from '@engram/contract/browser';
import { limitWords } from '../word-limit.ts';

interface NoteFieldProps {
  value: string;
  onChange: (value: string) => void;
  readOnly: boolean;
}

/** Text that becomes a file of its own, of at most 500 words. */
export function NoteField({ value, onChange, readOnly }: NoteFieldProps) {
  const words = countWords(value);
  const full = words >= TEXT_WORD_LIMIT;
  return (
    <div>
      <Textarea
        label="Text"
        placeholder="Or write or paste a note"
        autosize
        minRows={3}
        maxRows={9}
        value={value}
        readOnly={readOnly}
        onChange={(event) =>
          onChange(limitWords(value, event.currentTarget.value, TEXT_WORD_LIMIT))
        }
      />
      <Group justify="space-between" gap={12} mt={4} wrap="nowrap" fz="xs">
        <Text component="output" inherit c="yellow">
          {full && `Maximum word limit reached of ${TEXT_WORD_LIMIT} words`}
        </Text>
        <Text span inherit flex="none" c="dimmed">
          {words} / {TEXT_WORD_LIMIT} words
        </Text>
      </Group>
    </div>
  );
}

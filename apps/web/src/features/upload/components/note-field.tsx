import { Group, Text, Textarea } from '@mantine/core';
import { countWords, TEXT_WORD_LIMIT } from '@engram/contract/browser';

interface NoteFieldProps {
  value: string;
  onChange: (value: string) => void;
  readOnly: boolean;
}

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

/**
 * The text after an edit, cut to the limit: of what was typed or pasted, only as many words are taken
 * as there is room for.
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
    // The last word that is taken must not join the word after it.
    const gap = wordEnd < inserted.length && /^\S/u.test(tail) ? ' ' : '';
    const fitting = head + inserted.slice(0, wordEnd) + gap + tail;
    if (countWords(fitting) <= limit) return fitting;
  }
  return countWords(before) <= limit ? before : after.slice(0, wordEnds(after)[limit - 1]);
}

const wordEnds = (text: string): number[] =>
  Array.from(text.matchAll(/\S+/gu), ({ 0: word, index }) => index + word.length);

import { Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useShownAtOnce } from '../../../browser/use-shown-at-once.ts';
import { useHistoryFilter, type Only } from '../use-history-filter.ts';

/** Pause in typing after which the list is filtered, in milliseconds. */
const TYPING_PAUSE_MS = 250;

/** What narrows past questions down: words, and one of two marks. */
export function HistoryFilters() {
  const { filter, only, setWords, setOnly } = useHistoryFilter();
  const words = useShownAtOnce(filter.q, setWords);
  const mark = useShownAtOnce(only, setOnly);
  const commitWords = useDebouncedCallback(words.commit, TYPING_PAUSE_MS);
  const toggle = (which: Only): void => {
    const next = mark.shown === which ? null : which;
    mark.show(next);
    mark.commit(next);
  };
  return (
    <Stack component="search" gap={14}>
      <TextInput
        type="search"
        placeholder="Search..."
        aria-label="Search your questions"
        leftSection={<IconSearch size={17} stroke={1.8} />}
        maxLength={300}
        data-search-input
        value={words.shown}
        onChange={({ currentTarget: { value } }) => {
          words.show(value);
          commitWords(value.trim());
        }}
      />
      <Group gap="10px 20px">
        <Checkbox
          size="sm"
          label="Show Saved Only"
          checked={mark.shown === 'saved'}
          onChange={() => toggle('saved')}
        />
        <Checkbox
          size="sm"
          label="Show Archived Only"
          checked={mark.shown === 'archived'}
          onChange={() => toggle('archived')}
        />
      </Group>
    </Stack>
  );
}

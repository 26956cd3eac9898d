import type { Keyword } from '@engram/contract';
import { refuseKeyword } from '@engram/contract/browser';
import { Box, Button, Group, Text, TextInput } from '@mantine/core';
import { IconArrowBackUp, IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { isComposing } from '../../../browser/is-composing.ts';
import { messageOf } from '../../../components/notify.ts';
import { useAddKeyword } from '../../../artifacts/keywords.ts';
import { sameKeyword } from '../find-keywords.ts';

interface KeywordBoxProps {
  keywords: readonly Keyword[] | undefined;
  typed: string;
  onType: (typed: string) => void;
  onReactivate: (keyword: Keyword) => void;
}

export function KeywordBox({ keywords, typed, onType, onReactivate }: KeywordBoxProps) {
  const { mutateAsync: add, isPending } = useAddKeyword();
  const [error, setError] = useState<string | null>(null);
  const word = typed.trim();
  const existing = keywords && sameKeyword(keywords, word);
  const isNew = keywords !== undefined && word !== '' && !existing;
  const refusal = isNew ? refuseKeyword(word) : null;
  const archived = existing && !existing.isActive ? existing : null;

  const submit = async (): Promise<void> => {
    if (archived) return reactivate(archived);
    if (!isNew || refusal !== null || isPending) return;
    try {
      await add(word);
      onType('');
    } catch (failure) {
      setError(`The keyword could not be added. ${messageOf(failure)}`);
    }
  };
  const reactivate = (keyword: Keyword): void => {
    onReactivate(keyword);
    onType('');
  };

  return (
    <Group component="search" gap={8} align="flex-start">
      <TextInput
        flex="1 1 240px"
        maw={420}
        type="search"
        placeholder="Search..."
        aria-label="Search your keywords, or type a new one"
        leftSection={<IconSearch size={17} stroke={1.8} />}
        maxLength={100}
        autoComplete="off"
        data-search-input
        value={typed}
        error={error}
        onChange={(event) => {
          onType(event.currentTarget.value);
          setError(null);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !isComposing(event)) void submit();
        }}
      />
      {isNew && refusal === null && (
        <Button
          maw="100%"
          leftSection={<IconPlus size={16} stroke={2} />}
          loading={isPending}
          onClick={() => void submit()}
        >
          <Text span inherit truncate dir="auto">
            Add {word}
          </Text>
        </Button>
      )}
      <Box component="output" flex="1 0 100%">
        {refusal}
        {archived && (
          <Group gap="4px 12px">
            <Text span c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              “{archived.keyword}” is archived.
            </Text>
            <Button
              variant="light"
              size="compact-sm"
              leftSection={<IconArrowBackUp size={15} stroke={1.8} />}
              onClick={() => reactivate(archived)}
            >
              Make it active again
            </Button>
          </Group>
        )}
      </Box>
    </Group>
  );
}

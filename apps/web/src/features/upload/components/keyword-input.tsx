import { KEYWORD_LIMIT, refuseKeyword } from '@engram/contract/browser';
import { Button, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { isSameKeyword, useActiveKeywords, useAddKeyword } from '../../../artifacts/keywords.ts';
import { messageOf } from '../../../components/notify.ts';

const SUGGESTIONS = 8;

const includes = (word: string, list: readonly string[]): boolean =>
  list.some((other) => isSameKeyword(other, word));

interface KeywordInputProps {
  label: string;
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
  disabled?: boolean;
}

export function KeywordInput({ label, value, onChange, disabled = false }: KeywordInputProps) {
  const known = useActiveKeywords();
  const { mutate: add, isPending } = useAddKeyword();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const refusal = typed === '' ? null : refuseKeyword(typed);

  const choose = (words: readonly string[]): void => {
    onChange(words.map((word) => known.find((other) => isSameKeyword(other, word)) ?? word));
    // The suggestions would cover the rows below.
    setOpen(false);
  };
  const type = (text: string): void => {
    setTyped(text.replaceAll(/\s/gu, ''));
    setError(null);
    setOpen(true);
  };
  const create = (): void =>
    add(typed, {
      onSuccess: () => {
        if (!includes(typed, value)) choose([...value, typed]);
        setTyped('');
      },
      onError: (failure) => setError(`The keyword could not be added. ${messageOf(failure)}`),
    });

  return (
    <TagsInput
      label={label}
      placeholder={value.length === 0 ? 'Type a keyword, press Enter' : ''}
      data={[...known]}
      limit={SUGGESTIONS}
      value={[...value]}
      onChange={choose}
      searchValue={typed}
      onSearchChange={type}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      comboboxProps={{ withinPortal: false, keepMounted: false }}
      isDuplicate={includes}
      splitChars={[]}
      acceptValueOnBlur={false}
      maxLength={KEYWORD_LIMIT}
      disabled={disabled}
      error={error ?? refusal}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && refusal !== null) event.preventDefault();
      }}
      // Otherwise a pasted text becomes a keyword before it is checked.
      onPasteCapture={(event) => event.stopPropagation()}
      rightSectionWidth={58}
      rightSection={
        typed && refusal === null && !includes(typed, known) ? (
          <Button
            size="compact-xs"
            variant="light"
            loading={isPending}
            aria-label={`Add the keyword ${typed}`}
            onMouseDown={(event) => event.preventDefault()}
            onClick={create}
          >
            Add
          </Button>
        ) : null
      }
    />
  );
}

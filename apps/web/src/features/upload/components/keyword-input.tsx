import { Button, Combobox, Pill, PillsInput, useCombobox } from '@mantine/core';
import { KEYWORD_LIMIT, refuseKeyword } from '@engram/contract/browser';
import { useId, useState } from 'react';
import { isSameKeyword, useActiveKeywords, useAddKeyword } from '../../../artifacts/keywords.ts';
import { isComposing } from '../../../browser/is-composing.ts';
import { messageOf } from '../../../components/notify.ts';
import classes from './keyword-input.module.css';

const SUGGESTIONS = 8;

const includes = (list: readonly string[], word: string): boolean =>
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
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const labelId = useId();

  const refusal = typed === '' ? null : refuseKeyword(typed);
  const suggestions = known
    .filter((word) => word.toLowerCase().includes(typed.toLowerCase()) && !includes(value, word))
    .slice(0, SUGGESTIONS);

  const choose = (word: string): void => {
    if (!includes(value, word)) onChange([...value, word]);
    setTyped('');
    setError(null);
    // The list would cover the rows below.
    combobox.closeDropdown();
  };

  const chooseTyped = (): void => {
    if (typed === '' || refusal !== null) return;
    choose(known.find((other) => isSameKeyword(other, typed)) ?? typed);
  };

  const create = (): void =>
    add(typed, {
      onSuccess: () => choose(typed),
      onError: (failure) => setError(`The keyword could not be added. ${messageOf(failure)}`),
    });

  return (
    <Combobox store={combobox} onOptionSubmit={choose} disabled={disabled} withinPortal={false}>
      <Combobox.DropdownTarget>
        <PillsInput
          className={classes.box ?? ''}
          label={<span id={labelId}>{label}</span>}
          labelProps={{ labelElement: 'div' }}
          error={error ?? refusal}
          disabled={disabled}
          size="sm"
          rightSectionWidth={58}
          rightSection={
            typed && refusal === null && !includes(known, typed) ? (
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
        >
          <Pill.Group>
            {value.map((word) => (
              <Pill
                key={word}
                withRemoveButton={!disabled}
                onRemove={() => onChange(value.filter((other) => other !== word))}
              >
                {word}
              </Pill>
            ))}
            <Combobox.EventsTarget>
              <PillsInput.Field
                className={classes.field ?? ''}
                aria-labelledby={labelId}
                placeholder={value.length === 0 ? 'Type a keyword, press Enter' : ''}
                value={typed}
                maxLength={KEYWORD_LIMIT}
                onFocus={() => combobox.openDropdown()}
                onBlur={() => combobox.closeDropdown()}
                onChange={(event) => {
                  setTyped(event.currentTarget.value.replaceAll(/\s/gu, ''));
                  setError(null);
                  combobox.openDropdown();
                  combobox.resetSelectedOption();
                }}
                onKeyDown={(event) => {
                  if (isComposing(event)) return;
                  if (event.key === 'Enter' && combobox.getSelectedOptionIndex() === -1) {
                    event.preventDefault();
                    chooseTyped();
                  } else if (event.key === 'Backspace' && typed === '' && value.length > 0) {
                    onChange(value.slice(0, -1));
                  }
                }}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown hidden={suggestions.length === 0}>
        <Combobox.Options aria-label="Suggested keywords">
          {suggestions.map((word) => (
            <Combobox.Option key={word} value={word}>
              {word}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

import { Combobox, useCombobox } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { isComposing } from '../../../browser/composing.ts';
import { refuseTyped, sameKeyword } from '../keyword-rules.ts';
import { AddButton } from './row-buttons.tsx';

/** The value of the option that makes a new keyword; no keyword has a blank in it. */
const NEW = 'a new keyword';

interface AddKeywordProps {
  /** The file's name. */
  name: string;
  /** Keywords to choose from. */
  known: readonly string[];
  /** Keywords that the file has already. */
  taken: readonly string[];
  onAdd: (keyword: string) => void;
  /** What opens the list, instead of the plus. */
  renderButton?: (props: { onClick: () => void; 'aria-expanded': boolean }) => ReactElement;
}

// Before it stands at its place the page must not follow the focus there.
const focusInPlace = (box: HTMLInputElement | null): void => box?.focus({ preventScroll: true });

/** A plus with its list of keywords, opened, with a box to search it and to add a new one. */
export function AddKeyword({ name, known, taken, onAdd, renderButton }: AddKeywordProps) {
  const [typed, setTyped] = useState('');
  const combobox = useCombobox({
    defaultOpened: true,
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setTyped('');
    },
  });
  const word = typed.trim();
  const found = known.filter((keyword) => keyword.toLowerCase().includes(word.toLowerCase()));
  const refusal = word === '' ? null : refuseTyped(word);
  const isThere = [...known, ...taken].some((keyword) => sameKeyword(keyword, word));
  const twin = known.find((keyword) => sameKeyword(keyword, word));
  const canAdd = word !== '' && !isThere && refusal === null;
  const opener = {
    'aria-expanded': combobox.dropdownOpened,
    onClick: () => combobox.toggleDropdown(),
  };
  const submit = (value: string): void => {
    onAdd(value === NEW ? word : value);
    combobox.closeDropdown();
    combobox.focusTarget();
  };
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={submit}
      width={232}
      position="bottom-start"
      withinPortal
      keepMounted={false}
    >
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        {renderButton ? renderButton(opener) : <AddButton name={name} {...opener} />}
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          ref={focusInPlace}
          value={typed}
          maxLength={100}
          error={refusal !== null}
          placeholder="Search or add"
          aria-label="Search or add a keyword"
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            combobox.updateSelectedOptionIndex();
          }}
          onKeyDown={(event) => {
            // An option that was gone to by an arrow is taken by the list itself.
            if (event.key !== 'Enter' || isComposing(event)) return;
            if (combobox.getSelectedOptionIndex() !== -1) return;
            event.preventDefault();
            if (twin) submit(twin);
            else if (canAdd) submit(NEW);
          }}
        />
        <Combobox.Options mah={240} style={{ overflowY: 'auto' }} aria-label="Keywords">
          {found.map((keyword) => (
            <Combobox.Option key={keyword} value={keyword}>
              {keyword}
            </Combobox.Option>
          ))}
          {canAdd && (
            <Combobox.Option value={NEW} c="indigo" fw={600}>
              Add “{word}”
            </Combobox.Option>
          )}
          {refusal && <Combobox.Empty role="alert">{refusal}</Combobox.Empty>}
          {found.length === 0 && !refusal && (word === '' || isThere) && (
            <Combobox.Empty>
              {isThere ? 'The file has this keyword.' : 'Type a keyword to add it.'}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

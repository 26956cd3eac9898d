import { ActionIcon, Combobox, Menu, useCombobox } from '@mantine/core';
import { refuseKeyword } from '@engram/contract/browser';
import { IconX } from '@tabler/icons-react';
import { type ReactElement, useState } from 'react';
import { isSameKeyword, useActiveKeywords } from '../../../artifacts/keywords.ts';
import { isComposing } from '../../../browser/is-composing.ts';
import { addButton, moreButton, useMenuOpenedOnMount } from './row-buttons.tsx';

const MAX_LENGTH = 20;

const typedKeywordError = (word: string): string | null =>
  [...word].length > MAX_LENGTH || refuseKeyword(word) !== null
    ? `Keywords can only contain alphabets and numbers upto ${MAX_LENGTH} characters.`
    : null;

/** The value of the option that adds a new keyword. Keywords contain no spaces. */
const NEW = 'a new keyword';

interface AddKeywordProps {
  name: string;
  taken: readonly string[];
  onAdd: (keyword: string) => void;
  renderButton?: (props: { onClick: () => void; 'aria-expanded': boolean }) => ReactElement;
}

// The list is not positioned yet, so the page must not scroll to the focus.
const focusWithoutScroll = (box: HTMLInputElement | null): void =>
  box?.focus({ preventScroll: true });

/** A button with an initially open list of keywords, and a box to search it or add a new one. */
export function AddKeyword({ name, taken, onAdd, renderButton }: AddKeywordProps) {
  const [typed, setTyped] = useState('');
  const combobox = useCombobox({
    defaultOpened: true,
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setTyped('');
    },
  });
  const isTaken = (keyword: string) => taken.some((other) => isSameKeyword(other, keyword));
  const known = useActiveKeywords().filter((keyword) => !isTaken(keyword));
  const word = typed.trim();
  const matches = known.filter((keyword) => keyword.toLowerCase().includes(word.toLowerCase()));
  const error = word === '' ? null : typedKeywordError(word);
  const match = known.find((keyword) => isSameKeyword(keyword, word));
  const exists = match !== undefined || isTaken(word);
  const canAdd = word !== '' && !exists && error === null;
  const buttonProps = {
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
        {renderButton ? (
          renderButton(buttonProps)
        ) : (
          <ActionIcon {...addButton(name)} {...buttonProps} />
        )}
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          ref={focusWithoutScroll}
          value={typed}
          maxLength={100}
          error={error !== null}
          placeholder="Search or add"
          aria-label="Search or add a keyword"
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            combobox.updateSelectedOptionIndex();
          }}
          onKeyDown={(event) => {
            // The list itself handles Enter on a selected option.
            if (event.key !== 'Enter' || isComposing(event)) return;
            if (combobox.getSelectedOptionIndex() !== -1) return;
            event.preventDefault();
            if (match) submit(match);
            else if (canAdd) submit(NEW);
          }}
        />
        <Combobox.Options mah={240} style={{ overflowY: 'auto' }} aria-label="Keywords">
          {matches.map((keyword) => (
            <Combobox.Option key={keyword} value={keyword}>
              {keyword}
            </Combobox.Option>
          ))}
          {canAdd && (
            <Combobox.Option value={NEW} c="indigo" fw={600}>
              Add “{word}”
            </Combobox.Option>
          )}
          {error && <Combobox.Empty role="alert">{error}</Combobox.Empty>}
          {matches.length === 0 && !error && (word === '' || exists) && (
            <Combobox.Empty>
              {exists ? 'The file has this keyword.' : 'Type a keyword to add it.'}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

interface MoreKeywordsProps {
  keywords: readonly string[];
  name: string;
  onRemove: (keyword: string) => void;
}

export function MoreKeywords({ keywords, name, onRemove }: MoreKeywordsProps) {
  const { target, menu } = useMenuOpenedOnMount();
  return (
    <Menu position="bottom-start" closeOnItemClick={keywords.length === 1} {...menu}>
      <Menu.Target>
        <ActionIcon {...moreButton(name, keywords.length)} ref={target} />
      </Menu.Target>
      <Menu.Dropdown mah={240} style={{ overflowY: 'auto' }}>
        {keywords.map((keyword) => (
          <Menu.Item
            key={keyword}
            aria-label={`Remove ${keyword} from ${name}`}
            rightSection={<IconX size={14} stroke={1.8} />}
            onClick={() => onRemove(keyword)}
          >
            {keyword}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

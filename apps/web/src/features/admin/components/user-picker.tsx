import { listEmails } from '@engram/contract/browser';
import { Combobox, InputBase, Loader, Text, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { usePages, type Pages } from '../../../api/use-pages.ts';
import { messageOf } from '../../../components/notify.ts';

export interface PickedUser {
  id: string;
  email: string;
}

/** The value of the option that loads more. No id equals it. */
const MORE = 'more';
/** The number of options that Page Up and Page Down skip. */
const PAGE = 5;
const TYPING_PAUSE_MS = 200;

interface UserPickerProps {
  value: PickedUser | null;
  onChange: (user: PickedUser) => void;
}

export function UserPicker({ value, onChange }: UserPickerProps) {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS);
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setTyped('');
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  });
  const users = usePages(
    listEmails,
    { query: { q: q || undefined } },
    { enabled: combobox.dropdownOpened, isLogged: true },
  );
  const choose = (id: string): void => {
    if (id === MORE) return void users.fetchNextPage();
    const user = users.data?.rows.find((other) => other.id === id);
    if (user) onChange(user);
    combobox.closeDropdown();
    combobox.focusTarget();
  };
  return (
    <Combobox store={combobox} onOptionSubmit={choose} withinPortal keepMounted={false}>
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        <InputBase
          component="button"
          type="button"
          pointer
          label="User"
          flex="1 1 260px"
          miw={0}
          aria-expanded={combobox.dropdownOpened}
          aria-haspopup="listbox"
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.toggleDropdown()}
        >
          {value ? (
            <Text span inherit display="block" truncate>
              {value.email}
            </Text>
          ) : (
            <Text span inherit c="dimmed">
              Select...
            </Text>
          )}
        </InputBase>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={typed}
          placeholder="Search by e-mail"
          aria-label="Search a user by e-mail"
          rightSection={users.isPlaceholderData ? <Loader size={14} /> : null}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            combobox.updateSelectedOptionIndex();
          }}
          onKeyDown={(event) => {
            if (event.key !== 'PageDown' && event.key !== 'PageUp') return;
            event.preventDefault();
            const isDown = event.key === 'PageDown';
            const select = isDown ? combobox.selectNextOption : combobox.selectPreviousOption;
            for (let step = 0; step < PAGE; step += 1) select();
          }}
        />
        <Combobox.Options mah={300} style={{ overflowY: 'auto' }} aria-label="Users">
          {users.data?.rows.map(({ id, email }) => (
            <Combobox.Option key={id} value={id} active={id === value?.id}>
              <Text span inherit display="block" truncate title={email}>
                {email}
              </Text>
            </Combobox.Option>
          ))}
          {users.hasNextPage && (
            <Combobox.Option value={MORE} c="indigo" fw={600}>
              {users.isFetchingNextPage ? 'Loading…' : 'Show more'}
            </Combobox.Option>
          )}
          <PickerState users={users} q={q} />
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function PickerState({ users: { data, error }, q }: { users: Pages<PickedUser>; q: string }) {
  if (error) return <Combobox.Empty role="alert">{messageOf(error)}</Combobox.Empty>;
  if (!data) return <Combobox.Empty>Loading…</Combobox.Empty>;
  if (data.rows.length > 0) return null;
  return (
    <Combobox.Empty>{q ? `No address contains “${q}”.` : 'There are no users.'}</Combobox.Empty>
  );
}

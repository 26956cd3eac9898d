import { Group, Text, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { IconButton } from '../../../components/icon-button.tsx';
import { MOST_FOUND } from '../find-in-text.ts';
import type { Find } from '../use-find.ts';
import classes from './viewer.module.css';

interface FindBarProps {
  find: Find;
  onClose: () => void;
}

function countOf({ words, total, at }: Find): string {
  if (words?.trim() === '' || total === undefined) return '';
  if (total === 0) return 'Not found';
  return `${at + 1} of ${total.toLocaleString('en-US')}${total === MOST_FOUND ? '+' : ''}`;
}

/** A menu that it was chosen from gives the focus back so long after it closes, in milliseconds. */
const MENU_GIVES_BACK_MS = 10;

/** A field for words to find in the file, and the ways from one place to the next. */
export function FindBar({ find, onClose }: FindBarProps) {
  const nothing = !find.total;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // What is shown must not move for the field.
    const take = (): void => field.current?.focus({ preventScroll: true });
    take();
    const timer = setTimeout(take, 2 * MENU_GIVES_BACK_MS);
    return () => clearTimeout(timer);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') find.step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
  };
  return (
    <Group component="search" className={classes.toolbar} gap={4} wrap="nowrap">
      <TextInput
        flex={1}
        maw={320}
        size="xs"
        type="search"
        aria-label="Find in this file"
        placeholder="Find in this file"
        // Escape closes the field alone, not the sheet it stands in.
        data-mantine-stop-propagation
        ref={field}
        maxLength={300}
        value={find.words ?? ''}
        onChange={({ currentTarget: { value } }) => find.look(value)}
        onKeyDown={onKeyDown}
      />
      <Text component="output" size="sm" c="dimmed" miw={72} ta="center">
        {countOf(find)}
      </Text>
      <IconButton
        label="Previous place"
        icon={IconChevronUp}
        disabled={nothing}
        onClick={() => find.step(-1)}
      />
      <IconButton
        label="Next place"
        icon={IconChevronDown}
        disabled={nothing}
        onClick={() => find.step(1)}
      />
      <IconButton label="Stop finding" icon={IconX} onClick={onClose} />
    </Group>
  );
}

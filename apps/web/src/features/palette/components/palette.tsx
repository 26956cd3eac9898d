import { CloseButton, Combobox, Group, Kbd, Loader, Modal, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import type { HistoryEntry } from '@engram/contract';
import { listArtifacts, listHistory, QUESTION_LIMIT } from '@engram/contract/browser';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useCall } from '../../../api/use-call.ts';
import { isComposing } from '../../../browser/is-composing.ts';
import { plural } from '../../../format/format.ts';
import classes from './palette.module.css';

const TYPING_PAUSE_MS = 150;

const groups = ['Ask', 'Files', 'Questions', 'Keywords', 'Pages', 'Commands'] as const;

export type EntryGroup = (typeof groups)[number];

export interface PaletteEntry {
  id: string;
  group: EntryGroup;
  label: string;
  detail?: string;
  icon: ReactNode;
  keys?: readonly string[];
  run: () => void;
}

type Results = Pick<ReturnType<typeof useResults>, 'files' | 'questions'>;

interface PaletteProps {
  entriesFor: (words: string, results: Results) => readonly PaletteEntry[];
  onClose: () => void;
}

export function Palette({ entriesFor, onClose }: PaletteProps) {
  const isNarrow = useMediaQuery('(max-width: 767.98px)', undefined, {
    getInitialValueInEffect: false,
  });
  const [typed, setTyped] = useState('');
  const words = typed.trim();
  const [searched] = useDebouncedValue(words, TYPING_PAUSE_MS);
  const { files, questions, error, isFetching } = useResults(searched);
  const isSearching = isFetching || searched !== words;
  const entries = entriesFor(words, { files, questions }).toSorted(
    (a, b) => groups.indexOf(a.group) - groups.indexOf(b.group),
  );
  // New words activate the first entry.
  const [activated, setActivated] = useState({ words, index: 0 });
  const active = activated.words === words ? Math.min(activated.index, entries.length - 1) : 0;
  const activate = (index: number): void => setActivated({ words, index });
  const listId = useId();
  const optionId = (index: number): string => `${listId}-${index}`;
  const activeId = entries.length > 0 ? optionId(active) : undefined;
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  const choose = (index: number): void => {
    // Closed first, so that the entry can move the focus.
    onClose();
    entries[index]?.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    const { length } = entries;
    if (event.key === 'ArrowDown') activate((active + 1) % length);
    else if (event.key === 'ArrowUp') activate((active - 1 + length) % length);
    else if (event.key === 'Enter') choose(active);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      returnFocus={false}
      centered={false}
      fullScreen={isNarrow}
      size={640}
      yOffset="12vh"
      padding={0}
      zIndex={400}
      radius={isNarrow ? 0 : 14}
      transitionProps={{ duration: 120, transition: 'fade' }}
      attributes={{ content: { 'aria-label': 'Find anything' } }}
    >
      <div className={classes.palette}>
        <TextInput
          size="lg"
          variant="unstyled"
          className={classes.field ?? ''}
          flex="none"
          placeholder="Find anything, or ask…"
          aria-label="Find files, questions, keywords, pages and commands"
          // A datalist cannot hold groups with icons.
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="combobox"
          aria-expanded={entries.length > 0}
          aria-haspopup="listbox"
          aria-controls={listId}
          aria-activedescendant={activeId}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={2000}
          data-autofocus
          // Escape closes only the palette, and not a dialog below it.
          data-mantine-stop-propagation="true"
          leftSection={<IconSearch size={19} stroke={1.8} aria-hidden="true" />}
          rightSectionWidth={72}
          rightSection={
            <>
              {isSearching && <Loader size={16} aria-hidden="true" />}
              <CloseButton aria-label="Close" onClick={onClose} />
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {/* The field keeps the focus and handles the keys. */}
        <Combobox onOptionSubmit={(index) => choose(Number(index))}>
          <Combobox.Options
            id={listId}
            className={classes.list ?? ''}
            flex={1}
            p="4px 8px 8px"
            aria-label="Results"
            aria-busy={isSearching}
          >
            {[...Map.groupBy(entries.entries(), ([, { group }]) => group)].map(
              ([group, members]) => (
                <Combobox.Group
                  key={group}
                  aria-label={group}
                  label={group !== 'Ask' && group}
                  classNames={{ groupLabel: classes.group ?? '' }}
                >
                  {members.map(([index, entry]) => (
                    <Combobox.Option
                      key={entry.id}
                      value={String(index)}
                      id={optionId(index)}
                      className={classes.option ?? ''}
                      aria-selected={index === active}
                      onPointerMove={() => index !== active && activate(index)}
                    >
                      <Entry {...entry} />
                    </Combobox.Option>
                  ))}
                </Combobox.Group>
              ),
            )}
          </Combobox.Options>
        </Combobox>
        <Status {...{ entries, words, isSearching, error }} />
      </div>
    </Modal>
  );
}

const Entry = ({ icon, label, detail, keys }: PaletteEntry) => (
  <>
    {icon}
    <Text span inherit truncate dir="auto">
      {label}
    </Text>
    {detail && (
      <Text span truncate c="dimmed" fz={13} flex="none" maw="50%">
        {detail}
      </Text>
    )}
    {keys && (
      <Group
        component="span"
        flex="none"
        wrap="nowrap"
        gap={4}
        ms="auto"
        data-keys
        aria-hidden="true"
      >
        {keys.map((key) => (
          <Kbd key={key} size="xs">
            {key}
          </Kbd>
        ))}
      </Group>
    )}
  </>
);

interface StatusProps {
  entries: readonly PaletteEntry[];
  words: string;
  isSearching: boolean;
  error: Error | null;
}

function Status({ entries, words, isSearching, error }: StatusProps) {
  const isEmpty =
    words !== '' && !isSearching && error === null && entries.every(({ group }) => group === 'Ask');
  return (
    <>
      <output className="eg-visually-hidden">
        {!isSearching && plural(entries.length, 'entry', 'entries')}
      </output>
      {isEmpty && (
        <Text px={18} pb={14} size="sm" c="dimmed">
          No results
        </Text>
      )}
      {error !== null && (
        <Text px={18} pb={14} size="sm" c="red" role="alert">
          {navigator.onLine
            ? 'Your files and questions could not be searched.'
            : 'You are offline: your files and questions cannot be searched.'}
        </Text>
      )}
    </>
  );
}

const SHOWN = 6;
/** Some questions were asked several times, so more are read than shown. */
const READ_QUESTIONS = 20;

function distinctQuestions(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const seen = new Set<string>();
  const distinct = entries.filter(({ searchText }) => {
    const key = searchText.trim().toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
  return distinct.slice(0, SHOWN);
}

const options = { placeholderData: keepPreviousData, retry: false } as const;

/** The user's files and questions that contain the words, or the newest ones without words. */
function useResults(words: string) {
  const q = words.slice(0, QUESTION_LIMIT) || undefined;
  const files = useCall(listArtifacts, { query: { limit: SHOWN, q } }, options);
  const questions = useCall(
    listHistory,
    { query: { limit: READ_QUESTIONS, brief: 'true', q } },
    { ...options, select: distinctQuestions },
  );
  return {
    files: files.data ?? [],
    questions: questions.data ?? [],
    isFetching: files.isFetching || questions.isFetching,
    error: files.error ?? questions.error,
  };
}

const PREFIX = 0;
const WORD_START = 1;
const WITHIN = 2;

const fold = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** The rank of a text for the typed words; null if it does not match. */
function rankOf(text: string, typed: string): number | null {
  const index = text.indexOf(typed);
  if (index === -1) return null;
  if (index === 0) return PREFIX;
  for (let from = index; from !== -1; from = text.indexOf(typed, from + 1)) {
    if (!/[\p{L}\p{N}]/u.test(text.slice(from - 1, from))) return WORD_START;
  }
  return WITHIN;
}

/**
 * The items that contain the typed words. Items that begin with them come first, then items with a
 * word that does. Items of the same rank keep their order.
 */
export function rank<T>(items: readonly T[], typed: string, textOf: (item: T) => string): T[] {
  const words = fold(typed.trim());
  if (words === '') return [...items];
  return items
    .map((item) => ({ item, rank: rankOf(fold(textOf(item)), words) }))
    .filter((entry): entry is { item: T; rank: number } => entry.rank !== null)
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

import { Group, Text, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useEffect, useRef, type KeyboardEvent, useDeferredValue, useMemo, useState } from 'react';
import { IconButton } from '../../../components/icon-button.tsx';
import { MAX_MATCHES, findInText, foldText } from '../find-in-text.ts';
import classes from './viewer.module.css';
import type { Citation } from '@engram/contract';
import { useArtifactSegments, useArtifactText } from '../api.ts';

/** A match, and the number of equal matches before it on its page. */
export interface Match {
  citation: Citation;
  nth: number;
}

type Find = ReturnType<typeof useFind>;

const pageOf = ({ location }: Pick<Citation, 'location'>): unknown =>
  'page' in location ? location.page : null;

/** Finds words in a file's text. A match is shown like a citation. */
export function useFind(citation: Citation) {
  const { artifactId } = citation;
  const [words, setWords] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const { data: text } = useArtifactText(artifactId, words !== null);
  const folded = useMemo(() => (text === undefined ? null : foldText(text)), [text]);
  // Deferred, because searching a long text would block typing.
  const searched = useDeferredValue(words ?? '');
  const ranges = useMemo(() => folded && findInText(folded, searched), [folded, searched]);
  const [start, end] = ranges?.[at] ?? [0, 0];
  const hasMatch = end > 0;
  const { data: segments } = useArtifactSegments(artifactId, hasMatch ? start : null);

  const match = useMemo((): Match | null => {
    if (!hasMatch || !segments || text === undefined || !ranges) return null;
    const quote = text.slice(start, end);
    const segment = segments.find((segment) => segment.start <= start && start < segment.end);
    const page = segment && pageOf(segment);
    const from = segments.find((segment) => pageOf(segment) === page)?.start ?? 0;
    const preceding = ranges.filter(
      ([s, e]) => s >= from && s < start && text.slice(s, e) === quote,
    );
    const location = segment?.location ?? citation.location;
    return { citation: { ...citation, location, quote, start, end }, nth: preceding.length };
  }, [hasMatch, segments, text, ranges, start, end, citation]);
  // The previous match stays until the location of the next one is known.
  const [shown, setShown] = useState(match);
  if (match !== shown && (match ?? !hasMatch)) setShown(match);

  return {
    words,
    search: (next: string | null): void => {
      setWords(next);
      setAt(0);
    },
    total: ranges?.length,
    at,
    step: (direction: 1 | -1): void => {
      const total = ranges?.length ?? 0;
      if (total > 0) setAt((at + direction + total) % total);
    },
    match: shown,
  };
}

function countOf({ words, total, at }: Find): string {
  if (words?.trim() === '' || total === undefined) return '';
  if (total === 0) return 'Not found';
  return `${at + 1} of ${total.toLocaleString('en-US')}${total === MAX_MATCHES ? '+' : ''}`;
}

/** Milliseconds after which a closed menu returns the focus to its button. */
const MENU_FOCUS_DELAY_MS = 10;

export function FindBar({ find, onClose }: { find: Find; onClose: () => void }) {
  const isEmpty = !find.total;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (): void => field.current?.focus({ preventScroll: true });
    focus();
    const timer = setTimeout(focus, 2 * MENU_FOCUS_DELAY_MS);
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
        // Escape closes only the find bar, not the sheet around it.
        data-mantine-stop-propagation
        ref={field}
        maxLength={300}
        value={find.words ?? ''}
        onChange={({ currentTarget: { value } }) => find.search(value)}
        onKeyDown={onKeyDown}
      />
      <Text component="output" size="sm" c="dimmed" miw={72} ta="center">
        {countOf(find)}
      </Text>
      <IconButton
        label="Previous match"
        icon={IconChevronUp}
        disabled={isEmpty}
        onClick={() => find.step(-1)}
      />
      <IconButton
        label="Next match"
        icon={IconChevronDown}
        disabled={isEmpty}
        onClick={() => find.step(1)}
      />
      <IconButton label="Close the search" icon={IconX} onClick={onClose} />
    </Group>
  );
}

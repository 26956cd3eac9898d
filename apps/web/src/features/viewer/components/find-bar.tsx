import { Group, Text, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useEffect, useRef, type KeyboardEvent, useDeferredValue, useMemo, useState } from 'react';
import { IconButton } from '../../../components/icon-button.tsx';
import { MOST_FOUND, findInText, foldText } from '../find-in-text.ts';
import classes from './viewer.module.css';
import type { Citation } from '@engram/contract';
import { useArtifactSegments, useArtifactText } from '../api.ts';

/** A match, and how often the same letters occur before it on its page. */
export interface FoundPlace {
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
  const wanted = useDeferredValue(words ?? '');
  const places = useMemo(() => folded && findInText(folded, wanted), [folded, wanted]);
  const [start, end] = places?.[at] ?? [0, 0];
  const isThere = end > 0;
  const { data: segments } = useArtifactSegments(artifactId, isThere ? start : null);

  const found = useMemo((): FoundPlace | null => {
    if (!isThere || !segments || text === undefined || !places) return null;
    const quote = text.slice(start, end);
    const segment = segments.find((one) => one.start <= start && start < one.end);
    const page = segment && pageOf(segment);
    const from = segments.find((one) => pageOf(one) === page)?.start ?? 0;
    const before = places.filter(([s, e]) => s >= from && s < start && text.slice(s, e) === quote);
    const location = segment?.location ?? citation.location;
    return { citation: { ...citation, location, quote, start, end }, nth: before.length };
  }, [isThere, segments, text, places, start, end, citation]);
  // The previous match stays until the location of the next one is known.
  const [shown, setShown] = useState(found);
  if (found !== shown && (found ?? !isThere)) setShown(found);

  return {
    words,
    look: (next: string | null): void => {
      setWords(next);
      setAt(0);
    },
    total: places?.length,
    at,
    step: (by: 1 | -1): void => {
      const total = places?.length ?? 0;
      if (total > 0) setAt((at + by + total) % total);
    },
    place: shown,
  };
}

function countOf({ words, total, at }: Find): string {
  if (words?.trim() === '' || total === undefined) return '';
  if (total === 0) return 'Not found';
  return `${at + 1} of ${total.toLocaleString('en-US')}${total === MOST_FOUND ? '+' : ''}`;
}

/** A menu that opened the find bar returns the focus to its button after this many milliseconds. */
const MENU_GIVES_BACK_MS = 10;

export function FindBar({ find, onClose }: { find: Find; onClose: () => void }) {
  const nothing = !find.total;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
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
        // Escape closes the find bar, and not the sheet around it.
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

import { QUESTION_LIMIT } from '@engram/contract/browser';
import { Paper, Text } from '@mantine/core';
import { useId, useState, type KeyboardEvent } from 'react';
import { isComposing } from '../../../browser/is-composing.ts';
import { Entry } from '../../../components/buttons.tsx';
import { plural } from '../../../format/format.ts';
import classes from './suggestion-list.module.css';

export function SuggestionList({ completion, above }: { completion: Completion; above: boolean }) {
  const { matches, active, listId, optionId, choose } = completion;
  return (
    <>
      <output className="eg-visually-hidden">
        {matches.length > 0 && `${plural(matches.length, 'suggestion')}, arrow keys to choose.`}
      </output>
      {matches.length > 0 && (
        <Paper
          id={listId}
          // A datalist does not work with a text area.
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="listbox"
          aria-label="Suggestions"
          className={classes.list ?? ''}
          pos="absolute"
          mah="min(340px, 50dvh)"
          p={6}
          bg="var(--eg-raised)"
          withBorder
          shadow="md"
          data-above={above || undefined}
        >
          {matches.map((match, index) => {
            const { suggestion, start, end } = match;
            return (
              <Entry
                key={suggestion}
                id={optionId(index)}
                // The input keeps the focus, and handles the keys.
                tabIndex={-1}
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
                role="option"
                aria-selected={index === active}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(match)}
              >
                <Text span inherit lineClamp={2} dir="auto">
                  {suggestion.slice(0, start)}
                  <Text component="mark" inherit bg="none" fw={600} c="indigo">
                    {suggestion.slice(start, end)}
                  </Text>
                  {suggestion.slice(end)}
                </Text>
              </Entry>
            );
          })}
        </Paper>
      )}
    </>
  );
}

type Completion = ReturnType<typeof useCompletion>;

/** Suggestions under an input: arrows move, Enter accepts one, Escape closes the list. */
export function useCompletion(
  suggestions: readonly string[],
  value: string,
  onComplete: (text: string) => void,
) {
  const listId = useId();
  const [typedText, setTypedText] = useState<string | null>(null);
  const [active, setActive] = useState(-1);
  const matches = typedText === value ? matchSuggestions(suggestions, value) : [];
  const close = (): void => {
    setTypedText(null);
    setActive(-1);
  };
  const choose = ({ suggestion }: Match): void => {
    close();
    onComplete(complete(value, suggestion));
  };
  const move = (step: 1 | -1): void =>
    // From the input (-1) to the first or last one, and back.
    setActive((index) => ((index + 1 + step + matches.length + 1) % (matches.length + 1)) - 1);

  return {
    matches,
    /** The index of the match that Enter accepts, or -1. */
    active: active < matches.length ? active : -1,
    listId,
    optionId: (index: number) => `${listId}-${index}`,
    typed(text: string): void {
      setTypedText(text);
      setActive(-1);
    },
    choose,
    close,
    onKeyDown(event: KeyboardEvent): boolean {
      if (matches.length === 0 || isComposing(event)) return false;
      const match = matches[active];
      if (event.key === 'ArrowDown') move(1);
      else if (event.key === 'ArrowUp') move(-1);
      else if (event.key === 'Escape') close();
      else if (event.key === 'Enter' && !event.shiftKey && match) choose(match);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}

interface Match {
  suggestion: string;
  /** The offsets of the typed word, in UTF-16 units. */
  start: number;
  end: number;
}

const SHORTEST_WORD = 3;
const SHOWN = 8;

/** Normalizes text for comparison, as file names on macOS have decomposed accents. */
const fold = (text: string): string => text.normalize('NFC').toLowerCase();

const lastWord = (text: string): string => /(?<!\S)\S+$/u.exec(text)?.[0] ?? '';

/**
 * The rank of a suggestion, lower is better: it continues the whole text, begins with the word, has a
 * word that begins with it, or contains it.
 */
function rankOf(folded: string, index: number, text: string): number {
  if (folded.startsWith(text)) return 0;
  if (index === 0) return 1;
  return /[\p{L}\p{N}]/u.test(folded[index - 1] ?? '') ? 3 : 2;
}

export function matchSuggestions(suggestions: readonly string[], text: string): Match[] {
  const word = fold(lastWord(text));
  if ([...word].length < SHORTEST_WORD) return [];
  const whole = fold(text.trimStart());
  const ranked: Match[][] = [[], [], [], []];
  for (const suggestion of suggestions) {
    const folded = fold(suggestion);
    const index = folded.indexOf(word);
    if (index === -1 || folded === whole) continue;
    // Folding changes the length of a few letters, and the offsets with it.
    const exact = folded.length === suggestion.length;
    const [start, end] = exact ? [index, index + word.length] : [0, 0];
    ranked[rankOf(folded, index, whole)]?.push({ suggestion, start, end });
  }
  const shown: Match[] = [];
  for (const match of ranked.flat()) {
    if (shown.length === SHOWN) break;
    if (complete(text, match.suggestion).length <= QUESTION_LIMIT) shown.push(match);
  }
  return shown;
}

/** The end of the text that the suggestion replaces: its own beginning, or else the last word. */
function replacedEnd(text: string, suggestion: string): string {
  const folded = fold(suggestion);
  const tails = [...text.matchAll(/(?<!\S)\S/gu)].map(({ index }) => text.slice(index));
  return tails.find((tail) => folded.startsWith(fold(tail))) ?? lastWord(text);
}

/** Completes the text with a suggestion. A whole question replaces all of it. */
export function complete(text: string, suggestion: string): string {
  if (/[?？]\s*$/u.test(suggestion)) return suggestion;
  return text.slice(0, text.length - replacedEnd(text, suggestion).length) + suggestion;
}

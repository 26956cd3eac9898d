import { Paper, Text } from '@mantine/core';
import { Entry } from '../../../components/buttons.tsx';
import { plural } from '../../../format/format.ts';
import classes from './suggestion-list.module.css';
import { useId, useState, type KeyboardEvent } from 'react';
import { isComposing } from '../../../browser/composing.ts';
import { complete, matchSuggestions, type Match } from '../suggest.ts';

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
              // The keys are the input's, which has the focus.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <Entry
                component="div"
                key={suggestion}
                id={optionId(index)}
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

interface Completion {
  matches: Match[];
  /** The match that Enter takes; -1 for none. */
  active: number;
  listId: string;
  optionId: (index: number) => string;
  typed: (text: string) => void;
  choose: (match: Match) => void;
  close: () => void;
  /** Returns whether the list handled the key. */
  onKeyDown: (event: KeyboardEvent) => boolean;
}

/** Suggestions under an input: arrows move, Enter takes one, Escape closes them. */
export function useCompletion(
  suggestions: readonly string[],
  value: string,
  onComplete: (text: string) => void,
): Completion {
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
  const move = (by: 1 | -1): void =>
    // From the input (-1) to the first or last one, and back.
    setActive((at) => ((at + 1 + by + matches.length + 1) % (matches.length + 1)) - 1);

  return {
    matches,
    active: active < matches.length ? active : -1,
    listId,
    optionId: (index) => `${listId}-${index}`,
    typed(text) {
      setTypedText(text);
      setActive(-1);
    },
    choose,
    close,
    onKeyDown(event) {
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

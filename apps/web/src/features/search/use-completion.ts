import { useId, useState, type KeyboardEvent } from 'react';
import { isComposing } from '../../browser/composing.ts';
import { complete, matchSuggestions, type Match } from './suggest.ts';

export interface Completion {
  matches: Match[];
  /** Index of the match that Enter takes; -1 for none. */
  active: number;
  listId: string;
  optionId: (index: number) => string;
  /** To be called with what a person has typed. */
  typed: (text: string) => void;
  choose: (match: Match) => void;
  /** Puts the list away until something else is typed. */
  close: () => void;
  /** Whether the list took the key. */
  onKeyDown: (event: KeyboardEvent) => boolean;
}

/** Suggestions under an input: arrows move through them, Enter takes one, Escape puts them away. */
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
    // From the input to the first or the last one, and from there back to the input.
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

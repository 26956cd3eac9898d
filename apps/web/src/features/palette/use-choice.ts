import { useState, type KeyboardEvent } from 'react';
import { isComposing } from '../../browser/composing.ts';

interface ChoiceOptions {
  /** How many there are to choose from. */
  count: number;
  /** What they were found by: with another one the first is active again. */
  foundBy: string;
  onChoose: (index: number) => void;
  onLeave: () => void;
}

/** Which of a list is active while the focus stays in the field above it, and the keys that move it. */
export function useChoice({ count, foundBy, onChoose, onLeave }: ChoiceOptions) {
  const [state, setState] = useState({ foundBy, at: 0 });
  const active = state.foundBy === foundBy ? Math.min(state.at, count - 1) : 0;
  const activate = (at: number): void => setState({ foundBy, at });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    if (event.key === 'ArrowDown') activate((active + 1) % count);
    else if (event.key === 'ArrowUp') activate((active - 1 + count) % count);
    else if (event.key === 'Enter') onChoose(active);
    else if (event.key === 'Escape') onLeave();
    else return;
    event.preventDefault();
  };
  return { active, activate, onKeyDown };
}

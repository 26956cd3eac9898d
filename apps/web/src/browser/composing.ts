import type { KeyboardEvent } from 'react';

const TAKEN_BY_INPUT_METHOD = 229;

/**
 * Whether a key belongs to an input method, such as the Enter that accepts a word. Safari sends
 * that one after the composition has ended, with only its key code.
 */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === TAKEN_BY_INPUT_METHOD;

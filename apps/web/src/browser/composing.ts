import type { KeyboardEvent } from 'react';

/** What a key is called while an input method has it. */
const TAKEN_BY_INPUT_METHOD = 229;

/**
 * Whether a key belongs to the composing of a character, as the Enter does that takes a word over.
 * Safari sends that one after the composing has ended; then its code alone tells.
 */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === TAKEN_BY_INPUT_METHOD;

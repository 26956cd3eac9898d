import type { KeyboardEvent } from 'react';

const INPUT_METHOD_KEY_CODE = 229;

/**
 * Whether an input method handles a key, such as the Enter that accepts a word. Safari sends that one
 * after the composition, and only its key code shows it.
 */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === INPUT_METHOD_KEY_CODE;

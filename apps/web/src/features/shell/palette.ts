import { createContext, use } from 'react';
import { deviceLabel } from '../../browser/device.ts';

/** Whether the key for commands is ⌘ here. */
const hasCommandKey = (): boolean => ['MacOS', 'iPad', 'iPhone'].includes(deviceLabel());

/** The keys that open the palette, as this device names them. */
export const paletteKeys = (): readonly string[] => [hasCommandKey() ? '⌘' : 'Ctrl', 'K'];

/** Whether a key was pressed together with the one for commands, and nothing else. */
export const opensPalette = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'k' &&
  (hasCommandKey() ? event.metaKey : event.ctrlKey) &&
  !event.shiftKey &&
  !event.altKey;

export const PaletteContext = createContext<() => void>(() => undefined);

/** Opens the palette, from anywhere in the app. */
export const useOpenPalette = (): (() => void) => use(PaletteContext);

import { createContext, use } from 'react';
import { deviceLabel } from '../../browser/device.ts';

/** Whether this device has a ⌘ key. */
const hasCommandKey = (): boolean => ['MacOS', 'iPad', 'iPhone'].includes(deviceLabel());

/** The keys that open the palette, as labelled on this device. */
export const paletteKeys = (): readonly string[] => [hasCommandKey() ? '⌘' : 'Ctrl', 'K'];

export const opensPalette = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'k' &&
  (hasCommandKey() ? event.metaKey : event.ctrlKey) &&
  !event.shiftKey &&
  !event.altKey;

export const PaletteContext = createContext<() => void>(() => undefined);

/** Opens the palette, from anywhere in the app. */
export const useOpenPalette = (): (() => void) => use(PaletteContext);

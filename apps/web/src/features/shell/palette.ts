import { deviceLabel } from '../../browser/device.ts';

const hasCommandKey = (): boolean => ['MacOS', 'iPad', 'iPhone'].includes(deviceLabel());

export const paletteKeys = (): readonly string[] => [hasCommandKey() ? '⌘' : 'Ctrl', 'K'];

export const opensPalette = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'k' &&
  (hasCommandKey() ? event.metaKey : event.ctrlKey) &&
  !event.shiftKey &&
  !event.altKey;

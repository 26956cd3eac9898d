import { vi } from 'vitest';

const WIDTH = 1440;

/** Makes the window 1440 pixels wide. */
export function onWideScreen(): void {
  vi.stubGlobal('innerWidth', WIDTH);
  vi.spyOn(window, 'matchMedia').mockImplementation((media) => {
    const minWidth = /min-width: (\d+)/u.exec(media)?.[1];
    return Object.assign(new EventTarget(), {
      matches: minWidth !== undefined && Number(minWidth) <= WIDTH,
      media,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    });
  });
}

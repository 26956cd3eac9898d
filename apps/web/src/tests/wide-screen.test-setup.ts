import { vi } from 'vitest';

const WIDTH = 1440;

/** Has the page believe that it stands in a window of 1440 pixels. */
export function onWideScreen(): void {
  vi.stubGlobal('innerWidth', WIDTH);
  vi.spyOn(window, 'matchMedia').mockImplementation((media) => {
    const least = /min-width: (\d+)/u.exec(media)?.[1];
    return Object.assign(new EventTarget(), {
      matches: least !== undefined && Number(least) <= WIDTH,
      media,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    });
  });
}

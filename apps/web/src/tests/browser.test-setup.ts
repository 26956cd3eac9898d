import { createRequire } from 'node:module';
import { cleanup, configure, getConfig } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { clearSession } from '../session/session.ts';

/** React's scheduler, which has no types. */
const scheduler = createRequire(import.meta.url)('scheduler') as {
  unstable_IdlePriority: number;
  unstable_scheduleCallback: (priority: number, callback: () => void) => void;
};
/** Waits for what React does after it has shown something, such as listening to keys. */
const effectsHaveRun = () =>
  new Promise<void>((resolve) => {
    scheduler.unstable_scheduleCallback(scheduler.unstable_IdlePriority, () => resolve());
  });

const { asyncWrapper } = getConfig();
configure({
  // The first test of a file waits until the modules of its page are loaded.
  asyncUtilTimeout: 120_000,
  asyncWrapper: (wait) =>
    asyncWrapper(async () => {
      const result: unknown = await wait();
      await effectsHaveRun();
      return result;
    }),
});

// Mantine uses these when it mounts, and jsdom lacks them.
window.matchMedia ??= (query: string): MediaQueryList => ({
  matches: false,
  media: query,
  onchange: null,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  addListener: () => undefined,
  removeListener: () => undefined,
  dispatchEvent: () => false,
});
window.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};
window.IntersectionObserver ??= class {
  readonly root = null;
  readonly rootMargin = '';
  readonly scrollMargin = '';
  readonly thresholds = [];
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): IntersectionObserverEntry[] {
    return [];
  }
};
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
// Elements have no size in jsdom, and menus hide if their button is invisible.
Object.defineProperty(document.documentElement, 'clientWidth', { value: 1024 });
Object.defineProperty(document.documentElement, 'clientHeight', { value: 768 });
Element.prototype.getBoundingClientRect = () => new DOMRect(8, 8, 40, 20);
window.scrollTo = () => undefined;
Element.prototype.scrollIntoView ??= () => undefined;

afterEach(() => {
  cleanup();
  clearSession();
  localStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

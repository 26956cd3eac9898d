/** How long after its load a page is left alone, in milliseconds. */
const QUIET_AFTER_MS = 2000;

/** Calls back once the page has been loaded and has had time for itself; answers how to call it off. */
export function whenQuiet(act: () => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const wait = (): void => {
    const timer = setTimeout(() => {
      if (signal.aborted) return;
      if ('requestIdleCallback' in window) requestIdleCallback(() => !signal.aborted && act());
      else act();
    }, QUIET_AFTER_MS);
    signal.addEventListener('abort', () => clearTimeout(timer));
  };
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true, signal });
  return () => controller.abort();
}

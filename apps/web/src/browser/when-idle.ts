/** Events of a first interaction. A password manager sends only `input`. */
const INTERACTIONS = ['pointerdown', 'keydown', 'input'] as const;

/** Calls back once after the user's first interaction. Returns a function that cancels. */
export function onFirstInteraction(callback: () => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const once = (): void => {
    controller.abort();
    timer = setTimeout(callback);
  };
  for (const name of INTERACTIONS) {
    window.addEventListener(name, once, { capture: true, passive: true, signal });
  }
  return () => {
    controller.abort();
    clearTimeout(timer);
  };
}

/** The delay in milliseconds after the page has loaded. */
const IDLE_AFTER_MS = 2000;

/** Calls back once the page has loaded and is idle. Returns a function that cancels. */
export function whenIdle(callback: () => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const wait = (): void => {
    const timer = setTimeout(() => {
      if (signal.aborted) return;
      if ('requestIdleCallback' in window) requestIdleCallback(() => !signal.aborted && callback());
      else callback();
    }, IDLE_AFTER_MS);
    signal.addEventListener('abort', () => clearTimeout(timer));
  };
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true, signal });
  return () => controller.abort();
}

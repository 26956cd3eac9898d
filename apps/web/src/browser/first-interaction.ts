/** What a person does first on a page; filling in from a password manager only sends the last. */
const INTERACTIONS = ['pointerdown', 'keydown', 'input'] as const;

/**
 * Calls back once, after the person has first done something here, which does not wait for it;
 * answers how to call it off.
 */
export function onFirstInteraction(act: () => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const once = (): void => {
    controller.abort();
    timer = setTimeout(act);
  };
  for (const name of INTERACTIONS) {
    window.addEventListener(name, once, { capture: true, passive: true, signal });
  }
  return () => {
    controller.abort();
    clearTimeout(timer);
  };
}

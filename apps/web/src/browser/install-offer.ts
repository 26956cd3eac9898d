import { useSyncExternalStore } from 'react';

/** What browsers that can install the app send when it may be offered. */
interface BeforeInstallPromptEvent extends Event {
  prompt: () => Promise<unknown>;
}

/** Remembers on this device that the offer is not wanted. */
const DECLINED = 'engram-install-declined';

let offer: BeforeInstallPromptEvent | null = null;
const listeners = new Set<() => void>();

function change(to: BeforeInstallPromptEvent | null): void {
  offer = to;
  for (const listener of listeners) listener();
}

const isDeclined = (): boolean => {
  try {
    return localStorage.getItem(DECLINED) !== null;
  } catch {
    return false;
  }
};

/** Keeps the browser's offer for a place of our own; it comes once, early, and by itself would cover the page. */
export function listenForInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    if (!isDeclined()) change(event as BeforeInstallPromptEvent);
  });
  window.addEventListener('appinstalled', () => change(null));
}

export interface InstallOffer {
  install: () => void;
  /** Takes the offer away for good. */
  decline: () => void;
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The browser's offer to install the app; null when there is none, or it was declined. */
export function useInstallOffer(): InstallOffer | null {
  const current = useSyncExternalStore(subscribe, () => offer);
  if (!current) return null;
  return {
    install: () => {
      // It can be used once; the browser sends another when it may be asked again.
      change(null);
      void current.prompt();
    },
    decline: () => {
      change(null);
      try {
        localStorage.setItem(DECLINED, 'true');
      } catch {
        // Storage is switched off: it is gone for this visit.
      }
    },
  };
}

import { useLocalStorage } from '@mantine/hooks';
import { IconDownload, IconX } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import classes from './install-offer.module.css';

interface BeforeInstallPromptEvent extends Event {
  prompt: () => Promise<unknown>;
}

let prompt: BeforeInstallPromptEvent | null = null;
const listeners = new Set<() => void>();

function setPrompt(next: BeforeInstallPromptEvent | null): void {
  prompt = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps the browser's install prompt for a button of the app. The browser sends it once, early. */
export function listenForInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    setPrompt(event as BeforeInstallPromptEvent);
  });
  window.addEventListener('appinstalled', () => setPrompt(null));
}

/** Offers to install the app, if the browser can and the user has not declined. */
export function InstallOffer() {
  const current = useSyncExternalStore(subscribe, () => prompt);
  const [declined, setDeclined] = useLocalStorage({
    key: 'engram-install-declined',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  if (!current || declined) return null;
  return (
    <div className={classes.offer}>
      <button
        className={classes.install}
        type="button"
        onClick={() => {
          // A prompt can be used once. The browser sends a new event when it may be shown again.
          setPrompt(null);
          void current.prompt();
        }}
      >
        <IconDownload size={18} stroke={1.7} aria-hidden="true" />
        Install Engram
      </button>
      <button
        className={classes.decline}
        type="button"
        aria-label="Do not offer to install Engram"
        title="Do not offer again"
        onClick={() => setDeclined(true)}
      >
        <IconX size={16} stroke={1.7} aria-hidden="true" />
      </button>
    </div>
  );
}

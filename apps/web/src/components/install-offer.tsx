import { useLocalStorage } from '@mantine/hooks';
import { IconDownload, IconX } from '@tabler/icons-react';
import { createStore, useStore } from '../browser/store.ts';
import classes from './install-offer.module.css';

interface BeforeInstallPromptEvent extends Event {
  prompt: () => Promise<unknown>;
}

const prompt = createStore<BeforeInstallPromptEvent | null>(null);

/** Stores the browser's install prompt, which is sent once and early, for a button of the app. */
export function listenForInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    prompt.set(event as BeforeInstallPromptEvent);
  });
  window.addEventListener('appinstalled', () => prompt.set(null));
}

export function InstallOffer() {
  const current = useStore(prompt);
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
          // A prompt can be used once. The browser sends a new event when it can be shown again.
          prompt.set(null);
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

import { IconDownload, IconX } from '@tabler/icons-react';
import { useInstallOffer } from '../browser/install-offer.ts';
import classes from './install-offer.module.css';

/** A line that installs the app, where the browser can and nobody has declined. */
export function InstallOffer() {
  const offer = useInstallOffer();
  if (!offer) return null;
  return (
    <div className={classes.offer}>
      <button className={classes.install} type="button" onClick={offer.install}>
        <IconDownload size={18} stroke={1.7} aria-hidden="true" />
        Install Engram
      </button>
      <button
        className={classes.decline}
        type="button"
        aria-label="Do not offer to install Engram"
        title="Do not offer again"
        onClick={offer.decline}
      >
        <IconX size={16} stroke={1.7} aria-hidden="true" />
      </button>
    </div>
  );
}

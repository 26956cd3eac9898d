import type { Share } from '@engram/contract';

/** Whether this device has a share sheet, and lets this page use it. */
export function hasShareSheet(): boolean {
  if (typeof navigator.share !== 'function') return false;
  // Browsers that share but cannot be asked take an address.
  return navigator.canShare?.({ title: document.title, url: window.location.href }) ?? true;
}

/** Hands a link to the device's share sheet; false where there is none, or it was closed or refused. */
export async function handOver({ question, url }: Share): Promise<boolean> {
  if (!hasShareSheet()) return false;
  try {
    await navigator.share({ title: question, url });
    return true;
  } catch {
    // A sheet that comes too late after the click is refused.
    return false;
  }
}

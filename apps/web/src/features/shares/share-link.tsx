import type { Share } from '@engram/contract';
import { Text } from '@mantine/core';
import { copyText } from '../../components/notify.ts';
import { formatDateTime } from '../../format/format.ts';

export const copyLink = ({ url }: Share): Promise<boolean> =>
  copyText(url, { done: 'The link is copied.', failed: 'The link was not copied' });

/** Whether this device has a share sheet that this page may use. */
export function hasShareSheet(): boolean {
  if (typeof navigator.share !== 'function') return false;
  // A browser without `canShare` accepts links.
  return navigator.canShare?.({ title: document.title, url: window.location.href }) ?? true;
}

/** Opens the device's share sheet with a link; false if there is none, or it was closed or refused. */
export async function openShareSheet({ question, url }: Share): Promise<boolean> {
  if (!hasShareSheet()) return false;
  try {
    await navigator.share({ title: question, url });
    return true;
  } catch {
    // Browsers refuse a sheet that opens too long after the click.
    return false;
  }
}

export const SharedSince = ({ share: { createdDate } }: { share: Share }) => (
  <Text span size="sm" c="dimmed">
    Shared since <time dateTime={createdDate}>{formatDateTime(createdDate)}</time>
  </Text>
);

import { notifyError } from '../components/notify.ts';

/** Opens in a new tab what has yet to be asked for; `failed` says what could not be opened. */
export async function openInNewTab(failed: string, ask: () => Promise<string>): Promise<void> {
  // The tab is opened before the call: browsers block what opens long after the click.
  const tab = window.open('', '_blank');
  if (tab) tab.opener = null;
  try {
    const url = await ask();
    if (tab) tab.location.replace(url);
    else window.location.assign(url);
  } catch (error) {
    tab?.close();
    notifyError(failed, error);
  }
}

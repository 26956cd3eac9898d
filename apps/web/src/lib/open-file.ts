import { notifyError } from './notify.ts';
import { signFile } from './signed-file.ts';

/** Opens a file in a new tab. */
export async function openFile(artifactId: string): Promise<void> {
  // The tab is opened before the call: browsers block what opens long after the click.
  const tab = window.open('', '_blank');
  if (tab) tab.opener = null;
  try {
    const url = (await signFile(artifactId)).presignedUrl;
    if (tab) tab.location.replace(url);
    else window.location.assign(url);
  } catch (error) {
    tab?.close();
    notifyError('The file could not be opened', error);
  }
}

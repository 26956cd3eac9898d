import { openInNewTab } from './open-in-new-tab.ts';
import { signFile } from './signed-file.ts';

/** Opens a file in a new tab. */
export const openFile = (artifactId: string): Promise<void> =>
  openInNewTab(
    'The file could not be opened',
    async () => (await signFile(artifactId)).presignedUrl,
  );

import { download } from '../browser/download.ts';
import { notifyError } from '../components/notify.ts';
import { signFile } from './signed-file.ts';

/** Saves a file where the browser keeps downloads. */
export async function saveFile(artifactId: string): Promise<void> {
  try {
    const { presignedUrl, fileName } = await signFile(artifactId);
    download(presignedUrl, fileName);
  } catch (error) {
    notifyError('The file was not downloaded', error);
  }
}

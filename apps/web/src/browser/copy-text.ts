import { notifyError, notifySuccess } from '../components/notify.ts';

interface CopyMessages {
  done: string;
  /** Title of what is said when the browser refuses. */
  failed: string;
}

/** Puts a text on the clipboard and tells whether that went well. */
export async function copyText(text: string, { done, failed }: CopyMessages): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notifySuccess(done);
  } catch {
    notifyError(
      failed,
      new Error('Your browser does not let this page copy. Select the text and copy it yourself.'),
    );
  }
}

import { notifyError, notifySuccess } from '../components/notify.ts';

interface CopyMessages {
  /** Shown after copying, unless the caller shows it. */
  done?: string;
  /** The title of the message when the browser refuses. */
  failed: string;
}

/** Copies a text to the clipboard and shows the result. Returns whether it was copied. */
export async function copyText(text: string, { done, failed }: CopyMessages): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    if (done) notifySuccess(done);
    return true;
  } catch {
    notifyError(
      failed,
      new Error('Your browser does not let this page copy. Select the text and copy it yourself.'),
    );
    return false;
  }
}

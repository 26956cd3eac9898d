import { saveWebPage } from '@engram/contract/browser';
import { useAction } from '../api/use-action.ts';
import { notifyError, notifySuccess } from '../components/notify.ts';

/** Saves the page of a web address as a file, and shows the result. */
export const useSavePage = () =>
  useAction(saveWebPage, {
    invalidates: ['artifacts', 'keywords'],
    onSuccess: ({ fileName, duplicate }) =>
      notifySuccess(
        duplicate ? `${fileName} is saved already and has not changed.` : `Saved: ${fileName}`,
      ),
    onError: (error) => notifyError('The page was not saved', error),
  });

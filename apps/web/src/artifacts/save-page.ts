import { saveWebPage } from '@engram/contract/browser';
import { useAction } from '../api/use-action.ts';
import { notifyError, notifySuccess } from '../components/notify.ts';

export const useSavePage = () =>
  useAction(saveWebPage, {
    invalidates: ['artifacts', 'keywords'],
    onSuccess: ({ fileName, duplicate }) =>
      notifySuccess(
        duplicate ? `${fileName} is saved already and has not changed.` : `Saved: ${fileName}`,
      ),
    onError: (error) => notifyError('The page was not saved', error),
  });

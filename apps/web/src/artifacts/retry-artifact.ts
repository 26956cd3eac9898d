import { retryArtifact } from '@engram/contract/browser';
import { useAction } from '../api/use-action.ts';
import { notifyError } from '../components/notify.ts';
import { noteUpload } from './last-upload.ts';

/** Has a failed file extracted again. */
export const useRetryArtifact = () =>
  useAction(retryArtifact, {
    onSuccess: (_data, _input, _before, { client }) => noteUpload(client),
    onError: (error) => notifyError('The file could not be read again', error),
    invalidates: ['artifacts'],
  });

import { signExport } from '@engram/contract/browser';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

/** Asks for a link to the export; it works for a while and without the session. */
export const useSignExport = () =>
  useMutation({
    mutationFn: async (): Promise<string> => (await api.call(signExport, {})).data.url,
  });

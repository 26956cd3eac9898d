import { getProfile, updateProfile } from '@engram/contract/browser';
import { useAction } from '../../api/use-action.ts';
import { callQuery } from '../../api/use-call.ts';

/** Changes the profile, also where it is shown. */
export const useUpdateProfile = () =>
  useAction(updateProfile, {
    onSuccess: (profile, _input, _before, { client }) =>
      client.setQueryData(callQuery(getProfile, {}).queryKey, profile),
  });

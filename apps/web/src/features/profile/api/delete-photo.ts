import { deleteProfileImage } from '@engram/contract/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { notifyError, notifySuccess } from '../../../components/notify.ts';
import { queryKeys } from '../../../api/query-keys.ts';

/** Removes the photo; whatever shows the person shows their initials again. */
export function useDeletePhoto() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => (await api.call(deleteProfileImage, {})).data,
    onSuccess: (profile) => {
      queries.setQueryData(queryKeys.profile, profile);
      notifySuccess('Profile updated successfully!');
    },
    onError: (error) => notifyError('The photo was not removed', error),
  });
}

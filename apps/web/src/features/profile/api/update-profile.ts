import type { Profile } from '@engram/contract';
import { updateProfile } from '@engram/contract/browser';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import type { Change } from '../profile-changes.ts';

/** Changes the profile; whatever shows it follows at once. */
export function useUpdateProfile(): UseMutationResult<Profile, Error, Change> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (change) => (await api.call(updateProfile, { body: change })).data,
    onSuccess: (profile) => void queries.setQueryData(queryKeys.profile, profile),
  });
}

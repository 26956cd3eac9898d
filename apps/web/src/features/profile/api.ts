import { getProfile, updateProfile, uploadProfileImage } from '@engram/contract/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { callQuery } from '../../api/use-call.ts';

export const profileKey = callQuery(getProfile, {}).queryKey;

export const useUpdateProfile = () =>
  useAction(updateProfile, {
    onSuccess: (profile, _input, _before, { client }) => client.setQueryData(profileKey, profile),
  });

/** Uploads a photo. `sent` is the share that has been sent, 0 to 1. */
export function useUploadPhoto() {
  const queries = useQueryClient();
  const [sent, setSent] = useState(0);
  const upload = useMutation({
    mutationFn: (photo: File) => {
      setSent(0);
      const file = { name: photo.name, content: photo };
      return api.sendFile(uploadProfileImage, file, { onProgress: setSent });
    },
    onSuccess: (profileImage) =>
      void queries.setQueryData(profileKey, (profile) => profile && { ...profile, profileImage }),
  });
  return { ...upload, sent };
}

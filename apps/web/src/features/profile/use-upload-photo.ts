import { getProfile, uploadProfileImage } from '@engram/contract/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { callQuery } from '../../api/use-call.ts';

/** Sends a photo and tells how much of it has left; whatever shows the person follows at once. */
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
      void queries.setQueryData(
        callQuery(getProfile, {}).queryKey,
        (profile) => profile && { ...profile, profileImage },
      ),
  });
  return { ...upload, sent };
}

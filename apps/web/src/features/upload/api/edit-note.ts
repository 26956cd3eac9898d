import { editNote as route, getArtifactText } from '@engram/contract/browser';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { notifySuccess } from '../../../components/notify.ts';

/** A note's text as it is kept. */
export function useNoteText(artifactId: string) {
  return useQuery({
    queryKey: [...queryKeys.artifacts, 'note', artifactId],
    queryFn: ({ signal }) => api.text(getArtifactText, { params: { artifactId } }, { signal }),
    // What is being written is not to change under the hands.
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** Puts another text in the place of a note's. */
export function useEditNote(artifactId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (text: string) => api.call(route, { params: { artifactId }, body: { text } }),
    onSuccess: () => {
      queries.setQueryData(queryKeys.lastUpload, Date.now());
      notifySuccess('Note saved. It answers with the new text as soon as that is read.');
      return queries.invalidateQueries({ queryKey: queryKeys.artifacts });
    },
  });
}

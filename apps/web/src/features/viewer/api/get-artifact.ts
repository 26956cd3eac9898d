import { getArtifact } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';

/** Whether a file is a text that was typed, and can be edited; false until it is known. */
export function useIsNote(artifactId: string, fileType: string): boolean {
  const { data } = useQuery({
    queryKey: [...queryKeys.artifacts, 'one', artifactId],
    queryFn: async ({ signal }) =>
      (await api.call(getArtifact, { params: { artifactId } }, { signal })).data,
    enabled: fileType.startsWith('text/'),
  });
  return data?.source === 'Text';
}

import { getArtifactView } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { READ_FRESH_MS } from './get-artifact-text.ts';

/** What of a file is rendered. */
export interface ViewedPart {
  /** Offsets in the extracted text. */
  from: number;
  to: number;
  /** The member of an archive, or the attachment of a mail. */
  path?: string;
}

/** A file as sanitized HTML; nothing is asked while the part is null. */
export function useArtifactView(artifactId: string, part: ViewedPart | null) {
  return useQuery({
    queryKey: [...queryKeys.artifacts, 'view', artifactId, part],
    queryFn: async ({ signal }) => {
      const query = part ?? {};
      const { data } = await api.call(
        getArtifactView,
        { params: { artifactId }, query },
        { signal },
      );
      return data;
    },
    enabled: part !== null,
    staleTime: READ_FRESH_MS,
  });
}

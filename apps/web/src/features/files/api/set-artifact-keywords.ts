import type { Artifact } from '@engram/contract';
import { setArtifactKeywords as route } from '@engram/contract/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { notifyError } from '../../../components/notify.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { fileLists, type FilePage } from './list-artifacts.ts';

/** Changes a file's keywords: shown at once, and taken back when the server refuses. */
export function useSetArtifactKeywords({ artifactId, keywords: before }: Artifact) {
  const queries = useQueryClient();
  const show = (keywords: string[]): void => {
    queries.setQueriesData<FilePage>(
      { queryKey: fileLists },
      (page) =>
        page && {
          ...page,
          files: page.files.map((file) =>
            file.artifactId === artifactId ? { ...file, keywords } : file,
          ),
        },
    );
  };
  return useMutation({
    // Each call names all keywords: they must arrive in the order in which they were made.
    scope: { id: `keywords of ${artifactId}` },
    mutationFn: (keywords: string[]) => api.call(route, { body: { artifactId, keywords } }),
    onMutate: async (keywords) => {
      // A list that is on its way does not know of the change yet.
      await queries.cancelQueries({ queryKey: fileLists });
      show(keywords);
      return before;
    },
    onError: (error, _keywords, previous) => {
      if (previous) show(previous);
      notifyError('The keywords were not changed', error);
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: fileLists }),
        queries.invalidateQueries({ queryKey: queryKeys.keywords }),
      ]),
  });
}

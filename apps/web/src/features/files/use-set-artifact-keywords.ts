import type { Artifact } from '@engram/contract';
import { setArtifactKeywords } from '@engram/contract/browser';
import { useQueryClient } from '@tanstack/react-query';
import { invalidate } from '../../api/keys.ts';
import { useAction } from '../../api/use-action.ts';
import { notifyError } from '../../components/notify.ts';
import { fileLists, type FilePage } from './use-artifacts.ts';

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
  return useAction(setArtifactKeywords, {
    // Each call names all keywords: they must arrive in the order in which they were made.
    scope: { id: `keywords of ${artifactId}` },
    onMutate: async ({ body }) => {
      // A list that is on its way does not know of the change yet.
      await queries.cancelQueries({ queryKey: fileLists });
      show(body.keywords);
      return before;
    },
    onError: (error, _input, previous) => {
      if (previous) show(previous);
      notifyError('The keywords were not changed', error);
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: fileLists }),
        invalidate(queries, ['keywords']),
      ]),
  });
}

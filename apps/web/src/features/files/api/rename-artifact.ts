import { renameArtifact } from '@engram/contract/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { forgetLists } from '../../../artifacts/forget-lists.ts';

interface Renaming {
  artifactId: string;
  name: string;
}

/** Gives a file another name; earlier answers show it by that name too. */
export function useRenameArtifact() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ artifactId, name }: Renaming) =>
      api.call(renameArtifact, { params: { artifactId }, body: { name } }),
    onSuccess: () => forgetLists(queries),
  });
}

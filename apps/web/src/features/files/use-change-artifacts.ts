import type { ArtifactVerb } from '@engram/contract';
import { BULK_LIMIT, changeArtifacts } from '@engram/contract/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { invalidate } from '../../api/keys.ts';
import { notifyError, notifySuccess } from '../../components/notify.ts';
import { plural } from '../../format/format.ts';

export interface Change {
  verb: Exclude<ArtifactVerb, 'delete'>;
  ids: readonly string[];
  keywords?: string[];
}

/** The message after several files were changed. */
const messageFor = ({ verb, keywords = [] }: Change, done: number): string => {
  const files = (one: string, many: string) => plural(done, `file ${one}`, `files ${many}`);
  if (verb === 'tag') return `${files('has', 'have')} the keyword ${keywords.join(', ')}.`;
  if (verb === 'untag') return `${files('lost', 'lost')} the keyword ${keywords.join(', ')}.`;
  if (verb === 'archive') return `${files('is', 'are')} archived: kept, and left out of search.`;
  if (verb === 'unarchive') return `${files('is', 'are')} back in search.`;
  return `${files('is', 'are')} being read again.`;
};

/** Changes several files; a message says how many were changed, and why others were not. */
export function useChangeArtifacts(onDone: (change: Change, done: readonly string[]) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ verb, ids, keywords }: Change) => {
      const done: string[] = [];
      const refused = new Map<string, number>();
      for (let at = 0; at < ids.length; at += BULK_LIMIT) {
        const some = ids.slice(at, at + BULK_LIMIT);
        const body = { verb, ids: some, ...(keywords ? { keywords } : {}) };
        const { data } = await api.call(changeArtifacts, { body });
        done.push(...data.done);
        for (const { message, ids: those } of data.refused) {
          refused.set(message, (refused.get(message) ?? 0) + those.length);
        }
      }
      return { done, refused };
    },
    onSuccess: ({ done, refused }, change) => {
      const others = [...refused].map(([why, n]) => ` ${plural(n, 'file')} not: ${why}`);
      notifySuccess(messageFor(change, done.length) + others.join(''));
      onDone(change, done);
    },
    onError: (error) => notifyError('The files were not changed', error),
    onSettled: () => invalidate(queries, ['artifacts', 'history', 'keywords']),
  });
}

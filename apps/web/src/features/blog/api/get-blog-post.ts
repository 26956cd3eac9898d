import { getBlogPost as route } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

/** One post with its text. */
export const useBlogPost = (username: string, slug: string) =>
  useQuery({
    queryKey: ['blog', username, slug],
    queryFn: async ({ signal }) =>
      (await api.call(route, { params: { username, slug } }, { signal })).data,
  });

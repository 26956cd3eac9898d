import { listBlogPosts as route } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

/** The latest posts, newest first. */
export const useBlogPosts = () =>
  useQuery({
    queryKey: ['blog'],
    queryFn: async ({ signal }) => (await api.call(route, {}, { signal })).data,
  });

import { getBlogPost, listBlogPosts } from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { BlogService } from './blog.service.ts';

export function mountBlogRoutes(mount: Mount, service: BlogService): void {
  mount(listBlogPosts, async () => ({ data: await service.list() }));

  mount(getBlogPost, async ({ params }) => ({ data: await service.get(params) }));
}

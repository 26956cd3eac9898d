import { z } from 'zod';
import { defineRoute } from './route.ts';
import { timestamp } from './values.ts';

export const blogPost = z.object({
  title: z.string(),
  /** The author and the slug form the path of the page. */
  username: z.string(),
  slug: z.string(),
  /** The original post; null for posts that ship with Engram. */
  link: z.string().nullable(),
  pubDate: timestamp,
  /** Up to 280 characters. */
  description: z.string(),
});
export type BlogPost = z.output<typeof blogPost>;

export const listBlogPosts = defineRoute('GET /blog', {
  auth: 'public',
  summary: 'The latest 10 posts',
  data: z.array(blogPost),
  errors: { 503: 'The feed cannot be read.' },
});

export const getBlogPost = defineRoute('GET /blog/{username}/{slug}', {
  auth: 'public',
  summary: 'One post',
  params: z.object({ username: z.string().max(200), slug: z.string().max(300) }),
  /** HTML without scripts, styles, frames and remote content. */
  data: blogPost.extend({ content: z.string() }),
  errors: { 404: 'No such post.', 503: 'The feed cannot be read.' },
});

import { ApiError } from '@engram/client';
import type { BlogPost } from '@engram/contract';
import { Button, Skeleton } from '@mantine/core';
import { IconArrowLeft, IconExternalLink, IconNewsOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import prose from '../../../components/markdown/markdown.module.css';
import { useDocumentTitle } from '../../../browser/document-title.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import { useBlogPost } from '../api/get-blog-post.ts';
import { postDay } from '../post-day.ts';
import classes from './post-page.module.css';

/** One post, set like a page. */
export function PostPage({ username, slug }: Pick<BlogPost, 'username' | 'slug'>) {
  const { timeZone } = useTimeZone();
  const { data: post, error, isPending, refetch } = useBlogPost(username, slug);
  const isMissing = error instanceof ApiError && error.status === 404;
  useDocumentTitle(post?.title ?? (isMissing ? 'Post not found.' : 'Blog'));
  return (
    <div className={classes.page}>
      <Link className={classes.back} to={paths.blog}>
        <IconArrowLeft size={16} stroke={1.8} aria-hidden="true" />
        Blog
      </Link>
      {!post && (
        <h1 className="eg-visually-hidden" data-page-heading tabIndex={-1}>
          Blog
        </h1>
      )}
      {isPending && <Loading />}
      {isMissing && <Missing />}
      {error && !isMissing && (
        <ErrorState title="Failed to render post." error={error} onRetry={() => void refetch()} />
      )}
      {post && (
        <article>
          <p className={classes.date}>
            <time dateTime={post.pubDate}>{postDay(post.pubDate, timeZone)}</time>
          </p>
          <h1 className={classes.title} data-page-heading tabIndex={-1}>
            {post.title}
          </h1>
          {/* Sanitised by the server: tags of text and links that lead outside, nothing else. */}
          <div
            className={`${prose['prose']} ${classes.text}`}
            dangerouslySetInnerHTML={{ __html: post.content }}
          />
          {post.link && (
            <a
              className={classes.origin}
              href={post.link}
              target="_blank"
              rel="noopener noreferrer"
            >
              Read it where it was published
              <IconExternalLink size={15} stroke={1.8} aria-hidden="true" />
            </a>
          )}
        </article>
      )}
    </div>
  );
}

const Missing = () => (
  <EmptyState
    icon={<IconNewsOff size={24} stroke={1.6} />}
    title="Post not found."
    text="It may be older than the latest ten, or its address has changed."
    action={
      <Button component={Link} to={paths.blog}>
        See the latest posts
      </Button>
    }
  />
);

const Loading = () => (
  <div aria-busy="true" aria-label="Loading the post">
    <Skeleton height={13} width={120} mb={16} />
    <Skeleton height={32} width="85%" mb={40} />
    {['97%', '92%', '95%', '60%'].map((width) => (
      <Skeleton key={width} height={15} width={width} mb={14} />
    ))}
  </div>
);

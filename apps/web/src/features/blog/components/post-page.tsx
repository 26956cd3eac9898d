import { ApiError } from '@engram/client';
import type { BlogPost } from '@engram/contract';
import { getBlogPost } from '@engram/contract/browser';
import { Anchor, Box, Button, Group, Skeleton, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconExternalLink, IconNewsOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useCall } from '../../../api/use-call.ts';
import { paths } from '../../../app/paths.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { Prose } from '../../../components/prose.tsx';
import { useDocumentTitle } from '../../../browser/document-title.ts';
import { postDay } from '../post-day.ts';

/** One post, set like a page. */
export function PostPage({ username, slug }: Pick<BlogPost, 'username' | 'slug'>) {
  const {
    data: post,
    error,
    isPending,
    refetch,
  } = useCall(getBlogPost, { params: { username, slug } });
  const isMissing = error instanceof ApiError && error.status === 404;
  useDocumentTitle(post?.title ?? (isMissing ? 'Post not found.' : 'Blog'));
  return (
    // What stands below the post comes into sight once, at its place.
    <Box
      mih="100dvh"
      maw="calc(72ch + 2 * var(--eg-gutter))"
      mx="auto"
      px="var(--eg-gutter)"
      pt={28}
      pb={72}
    >
      <Anchor component={Link} display="block" w="fit-content" mb={32} c="dimmed" to={paths.blog}>
        <Group component="span" gap={6}>
          <IconArrowLeft size={16} stroke={1.8} aria-hidden="true" />
          Blog
        </Group>
      </Anchor>
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
          <Text component="time" display="block" mb={8} fz={13} c="dimmed" dateTime={post.pubDate}>
            {postDay(post.pubDate)}
          </Text>
          <Title
            fz="clamp(26px, 4vw, 34px)"
            lh={1.2}
            mb={32}
            textWrap="balance"
            data-page-heading
            tabIndex={-1}
          >
            {post.title}
          </Title>
          {/* Sanitised by the server: tags of text and links that lead outside, nothing else. */}
          <Prose
            size="lg"
            __vars={{ '--heading': '20px' }}
            dangerouslySetInnerHTML={{ __html: post.content }}
          />
          {post.link && (
            <Anchor
              display="block"
              w="fit-content"
              mt={40}
              underline="always"
              href={post.link}
              target="_blank"
              rel="noopener noreferrer"
            >
              <Group component="span" gap={6}>
                Read it where it was published
                <IconExternalLink size={15} stroke={1.8} aria-hidden="true" />
              </Group>
            </Anchor>
          )}
        </article>
      )}
    </Box>
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

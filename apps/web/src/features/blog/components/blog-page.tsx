import { ApiError } from '@engram/client';
import type { BlogPost } from '@engram/contract';
import { getBlogPost, listBlogPosts } from '@engram/contract/browser';
import { Anchor, Box, Button, Group, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconExternalLink, IconNews, IconNewsOff } from '@tabler/icons-react';
import { generatePath, Link, useParams } from 'react-router';
import { useCall } from '../../../api/use-call.ts';
import { paths } from '../../../app/paths.ts';
import { useDocumentTitle } from '../../../browser/document-title.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { LoadState } from '../../../components/loading-blocks.tsx';
import { Page, SpokenHeading } from '../../../components/page.tsx';
import { Prose } from '../../../components/prose.tsx';
import { formatDay } from '../../../format/format.ts';

export default function BlogPage() {
  const { username, slug } = useParams();
  if (username && slug) return <PostPage username={username} slug={slug} />;
  return (
    <Page title="Blog" lead="News and notes on Engram." width="text">
      <PostList />
    </Page>
  );
}

/**
 * The day of a post. Feeds without times use midnight UTC, so the day of such a post is shown in UTC.
 */
function PostDay({ date }: { date: string }) {
  const timeZone = /T00:00:00(?:\.0+)?Z$/u.test(date) ? 'UTC' : undefined;
  return (
    <Text component="time" display="block" mb={8} fz={13} c="dimmed" dateTime={date}>
      {formatDay(date, timeZone)}
    </Text>
  );
}

function PostList() {
  const call = useCall(listBlogPosts, {});
  const posts = call.data;
  if (!posts) {
    return (
      <LoadState
        call={call}
        what="the posts"
        failed="The blog could not be loaded"
        heights={[160, 160, 160]}
      />
    );
  }
  if (posts.length === 0) {
    return (
      <EmptyState
        icon={<IconNews size={24} stroke={1.6} />}
        title="No posts yet"
        text="The feed of this blog is empty. Come back later."
        action={
          <Button component={Link} to={paths.home}>
            Go to Home
          </Button>
        }
      />
    );
  }
  return (
    <ol>
      {posts.map((post) => (
        <Post key={`${post.username}/${post.slug}`} post={post} />
      ))}
    </ol>
  );
}

function Post({ post }: { post: BlogPost }) {
  const { username, slug, title, pubDate, description } = post;
  const to = generatePath(paths.blogPost, { username, slug });
  return (
    <Box component="li" py={28} style={{ borderTop: '1px solid var(--eg-line)' }}>
      <PostDay date={pubDate} />
      <Title order={2} mb={8} fz="xl">
        <Anchor component={Link} inherit c="var(--eg-ink)" to={to}>
          {title}
        </Anchor>
      </Title>
      <Text mb={12} lh={1.65} c="dimmed">
        {description}
      </Text>
      <Anchor
        component={Link}
        underline="always"
        fw={550}
        to={to}
        aria-label={`Read More: ${title}`}
      >
        Read More
      </Anchor>
    </Box>
  );
}

function PostPage({ username, slug }: Pick<BlogPost, 'username' | 'slug'>) {
  const call = useCall(getBlogPost, { params: { username, slug } });
  const { data: post, error } = call;
  const isMissing = error instanceof ApiError && error.status === 404;
  useDocumentTitle(post?.title ?? (isMissing ? 'Post not found.' : 'Blog'));
  return (
    // As high as the window, so that the footer does not move when the post is loaded.
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
      {!post && <SpokenHeading>Blog</SpokenHeading>}
      {!post && !isMissing && (
        <LoadState call={call} what="the post" failed="Failed to render post." heights={[400]} />
      )}
      {isMissing && (
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
      )}
      {post && (
        <article>
          <PostDay date={post.pubDate} />
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
          {/* Sanitized by the server, which allows only text tags and external links. */}
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
                Read the original post
                <IconExternalLink size={15} stroke={1.8} aria-hidden="true" />
              </Group>
            </Anchor>
          )}
        </article>
      )}
    </Box>
  );
}

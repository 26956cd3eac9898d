import type { BlogPost } from '@engram/contract';
import { listBlogPosts } from '@engram/contract/browser';
import { Anchor, Box, Button, Skeleton, Text, Title } from '@mantine/core';
import { IconNews } from '@tabler/icons-react';
import { generatePath, Link } from 'react-router';
import { useCall } from '../../../api/use-call.ts';
import { paths } from '../../../app/paths.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { postDay } from '../post-day.ts';
import classes from './post-list.module.css';

/** The latest posts, each with a way to read on. */
export function PostList() {
  const { data: posts, error, isPending, refetch } = useCall(listBlogPosts, {});
  if (isPending) return <Loading />;
  if (!posts) {
    return (
      <ErrorState
        title="The blog could not be loaded"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  if (posts.length === 0) {
    return (
      <EmptyState
        icon={<IconNews size={24} stroke={1.6} />}
        title="No posts yet"
        text="The feed of this blog holds none. Come back later."
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
    <Box component="li" className={classes.post ?? ''} py={28}>
      <Text component="time" display="block" mb={8} fz={13} c="dimmed" dateTime={pubDate}>
        {postDay(pubDate)}
      </Text>
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

function Loading() {
  return (
    <div aria-busy="true" aria-label="Loading the posts">
      {['70%', '55%', '62%'].map((width) => (
        <Box className={classes.post ?? ''} py={28} key={width}>
          <Skeleton height={13} width={120} mb={14} />
          <Skeleton height={20} width={width} mb={14} />
          <Skeleton height={13} mb={10} />
          <Skeleton height={13} width="80%" mb={18} />
          <Skeleton height={13} width={80} />
        </Box>
      ))}
    </div>
  );
}

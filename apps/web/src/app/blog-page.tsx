import { useParams } from 'react-router';
import { Page } from '../components/page.tsx';
import { PostList, PostPage } from '../features/blog/components/blog.tsx';

export function BlogPage() {
  const { username, slug } = useParams();
  if (username && slug) return <PostPage username={username} slug={slug} />;
  return (
    <Page title="Blog" lead="News and notes on Engram." width="text">
      <PostList />
    </Page>
  );
}

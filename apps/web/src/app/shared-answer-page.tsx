import { ApiError } from '@engram/client';
import { Skeleton, Stack } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorState } from '../components/error-state.tsx';
import { Logo } from '../components/logo.tsx';
import { useSharedAnswer } from '../features/shares/api/get-shared-answer.ts';
import { SharedPage } from '../features/shares/components/shared-page.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';
import { paths } from './paths.ts';
import classes from './shared-answer-page.module.css';

/** One answer, for whoever has its link. The app around it is loaded only by those who go there. */
export function SharedAnswerPage() {
  const { id = '' } = useParams();
  return (
    <Stack
      maw="calc(680px + 2 * var(--eg-gutter))"
      mih="100dvh"
      mx="auto"
      px="var(--eg-gutter)"
      gap={0}
    >
      <meta name="robots" content="noindex, nofollow" />
      <header className={classes.head}>
        <Link reloadDocument to={paths.home} aria-label="Engram, to the home page">
          <Logo />
        </Link>
      </header>
      <main className={classes.main} id="main" tabIndex={-1}>
        <Shared id={id} />
      </main>
      <footer className={classes.foot}>
        {/* Who visits is found out there: this page asks for no session. */}
        <Link reloadDocument to={paths.home}>
          Answered by Engram
        </Link>
      </footer>
    </Stack>
  );
}

function Shared({ id }: { id: string }) {
  const { data, error, isPending, refetch } = useSharedAnswer(id);
  // A link that was revoked while the page is open shows nothing any more.
  const isGone = error instanceof ApiError && error.status === 404;
  useDocumentTitle(!isGone && data ? data.question : isGone ? 'Not shared' : 'Engram');
  if (isGone) {
    return (
      <EmptyState
        icon={<IconLinkOff size={24} stroke={1.6} />}
        title="This answer is not shared any more."
        text="Whoever sent you the link has stopped sharing it, or the link is not complete. Ask them for a new one."
      />
    );
  }
  if (data) return <SharedPage answer={data} />;
  if (isPending) {
    return (
      <section aria-busy="true" aria-label="Loading the answer">
        <Skeleton height={30} width="80%" mb={16} />
        <Skeleton height={14} width="40%" mb={48} />
        {['97%', '92%', '95%', '60%'].map((width) => (
          <Skeleton key={width} height={15} width={width} mb={14} />
        ))}
      </section>
    );
  }
  return (
    <ErrorState
      title="The answer could not be loaded"
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

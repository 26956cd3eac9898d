import { ApiError } from '@engram/client';
import { Anchor, Box, Skeleton, Stack } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import { EmptyState, ErrorState } from '../components/empty-state.tsx';
import { Logo } from '../components/logo.tsx';
import { useSharedAnswer } from '../features/shares/api.ts';
import { SharedPage } from '../features/shares/components/shared-page.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';
import { paths } from './paths.ts';

/** A shared answer. Links leave with a full reload, so that the app is loaded only on demand. */
export function SharedAnswerPage() {
  const { id = '' } = useParams();
  const { isPending } = useSharedAnswer(id);
  return (
    <Stack
      maw="calc(680px + 2 * var(--eg-gutter))"
      mih="100dvh"
      mx="auto"
      px="var(--eg-gutter)"
      gap={0}
    >
      <meta name="robots" content="noindex, nofollow" />
      <Box component="header" py={16}>
        <Anchor
          component={Link}
          display="inline-flex"
          py={8}
          underline="never"
          reloadDocument
          to={paths.home}
          aria-label="Engram, to the home page"
        >
          <Logo />
        </Anchor>
      </Box>
      <Box component="main" flex="1 0 auto" miw={0} pt={32} pb={64} id="main" tabIndex={-1}>
        <Shared id={id} />
      </Box>
      {!isPending && <Footer />}
    </Stack>
  );
}

const Footer = () => (
  <>
    <hr />
    <Box component="footer" py={12}>
      {/* A full reload, because this page does not restore the session. */}
      <Anchor
        component={Link}
        display="inline-block"
        py={10}
        size="sm"
        c="dimmed"
        reloadDocument
        to={paths.home}
      >
        Answered by Engram
      </Anchor>
    </Box>
  </>
);

function Shared({ id }: { id: string }) {
  const { data, error, isPending, refetch } = useSharedAnswer(id);
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

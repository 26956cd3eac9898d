import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router';
import { Logo } from '../components/logo.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';
import { useHasArtifacts, useSignedIn } from '../session/session.ts';
import { paths } from './paths.ts';

const NOT_FOUND = { status: '404 Not Found', text: 'This page does not exist.' };

function describe(error: unknown): { status: string; text: string } {
  if (isRouteErrorResponse(error)) {
    const status = `${error.status} ${error.statusText}`.trim();
    return error.status === 404 ? NOT_FOUND : { status, text: String(error.data ?? '') };
  }
  const text = error instanceof Error ? error.message : String(error);
  // The messages of browsers when a script or style of a page fails to load.
  if (!/dynamically imported module|module script failed|preload css/iu.test(text)) {
    return { status: 'Error', text };
  }
  return navigator.onLine
    ? {
        status: 'The page could not be loaded',
        text: 'Engram may have been updated. Reload to continue.',
      }
    : {
        status: 'You are offline',
        text: 'This page is not available offline. Reload when you are online.',
      };
}

export function RouteError() {
  const failure = describe(useRouteError());
  const canReload = failure !== NOT_FOUND;
  useDocumentTitle('Unexpected Application Error!');
  const signedIn = useSignedIn();
  const hasArtifacts = useHasArtifacts();
  const canAsk = signedIn && hasArtifacts;
  return (
    <Stack
      component="main"
      id="main"
      tabIndex={-1}
      justify="center"
      gap={6}
      maw={560}
      mih="100dvh"
      mx="auto"
      px="var(--eg-gutter)"
      py={32}
    >
      <Link
        to={paths.home}
        aria-label="Engram, to the home page"
        style={{ textDecoration: 'none' }}
      >
        <Logo />
      </Link>
      <Title order={1} size={26} mt={28}>
        Unexpected Application Error!
      </Title>
      <Text size="lg" fw={600}>
        {failure.status}
      </Text>
      <Text c="dimmed">{failure.text}</Text>
      <Group gap={8} mt={12}>
        {canReload && <Button onClick={() => window.location.reload()}>Reload</Button>}
        {canAsk && (
          <Button component={Link} to={paths.search} variant={canReload ? 'default' : 'filled'}>
            Go to Search
          </Button>
        )}
        <Button
          component={Link}
          to={paths.home}
          variant={canReload || canAsk ? 'default' : 'filled'}
        >
          Go to Home
        </Button>
      </Group>
    </Stack>
  );
}

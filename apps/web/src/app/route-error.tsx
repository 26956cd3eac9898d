import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router';
import { Logo } from '../components/logo.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';
import { useHasArtifacts, useSignedIn } from '../session/session.ts';
import { paths } from './paths.ts';

function describe(error: unknown) {
  if (isRouteErrorResponse(error)) {
    return error.status === 404
      ? { status: '404 Not Found', text: 'There is no page at this address.', mayPass: false }
      : {
          status: `${error.status} ${error.statusText}`.trim(),
          text: String(error.data ?? ''),
          mayPass: true,
        };
  }
  const text = error instanceof Error ? error.message : String(error);
  // The messages of browsers when a script or style of a page fails to load.
  if (!/dynamically imported module|module script failed|preload css/iu.test(text)) {
    return { status: 'Error', text, mayPass: true };
  }
  return navigator.onLine
    ? {
        status: 'The page could not be loaded',
        text: 'Engram may have been updated. Reload to go on.',
        mayPass: true,
      }
    : {
        status: 'You are offline',
        text: 'This page was not opened on this device before. Reload when you are back.',
        mayPass: true,
      };
}

/** Shown if a page does not exist or has failed. */
export function RouteError() {
  const { status, text, mayPass } = describe(useRouteError());
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
        {status}
      </Text>
      <Text c="dimmed">{text}</Text>
      <Group gap={8} mt={12}>
        {mayPass && <Button onClick={() => window.location.reload()}>Reload</Button>}
        {canAsk && (
          <Button component={Link} to={paths.search} variant={mayPass ? 'default' : 'filled'}>
            Go to Search
          </Button>
        )}
        <Button component={Link} to={paths.home} variant={mayPass || canAsk ? 'default' : 'filled'}>
          Go to Home
        </Button>
      </Group>
    </Stack>
  );
}

import { Button, Group } from '@mantine/core';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router';
import { Logo } from '../components/logo.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';
import { paths } from './paths.ts';
import classes from './route-error.module.css';

/** Status and text of whatever a page failed with. */
function describe(error: unknown): { status: string; text: string } {
  if (isRouteErrorResponse(error)) {
    return error.status === 404
      ? { status: '404 Not Found', text: 'There is no page at this address.' }
      : { status: `${error.status} ${error.statusText}`.trim(), text: String(error.data ?? '') };
  }
  const text = error instanceof Error ? error.message : String(error);
  // What browsers say when a script or style of a page does not come.
  if (!/dynamically imported module|module script failed|preload css/iu.test(text)) {
    return { status: 'Error', text };
  }
  return navigator.onLine
    ? {
        status: 'The page could not be loaded',
        text: 'Engram may have been updated. Reload to go on.',
      }
    : {
        status: 'You are offline',
        text: 'This page was not opened on this device before. Reload when you are back.',
      };
}

/** The page that stands in for one that is not there or has failed. */
export function RouteError() {
  const { status, text } = describe(useRouteError());
  useDocumentTitle('Unexpected Application Error!');
  return (
    <main className={classes.page} id="main" tabIndex={-1}>
      <Link to={paths.home} aria-label="Engram, to the home page">
        <Logo />
      </Link>
      <h1 className={classes.title}>Unexpected Application Error!</h1>
      <p className={classes.status}>{status}</p>
      <p className={classes.text}>{text}</p>
      <Group gap={8} mt={12}>
        <Button component={Link} to={paths.home}>
          Go to Home
        </Button>
        <Button variant="default" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </Group>
    </main>
  );
}

import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Logo } from '../components/logo.tsx';
import classes from './connect-layout.module.css';
import { paths } from './paths.ts';

/** One question on a page of its own, so that nothing stands beside it. */
export function ConnectLayout({ children }: { children: ReactNode }) {
  return (
    <Stack mih="100dvh" gap={0}>
      <header className={classes.head}>
        <Link to={paths.search} aria-label="Engram">
          <Logo />
        </Link>
      </header>
      <main className={classes.main} id="main" tabIndex={-1}>
        <div className={classes.card}>{children}</div>
      </main>
    </Stack>
  );
}

/** Names a page to those who hear it, whose card has no heading of its own. */
export const SpokenHeading = ({ children }: { children: string }) => (
  <h1 className="eg-visually-hidden" data-page-heading tabIndex={-1}>
    {children}
  </h1>
);

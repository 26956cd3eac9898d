import { Anchor, Box, Center, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate } from 'react-router';
import { SignIn } from '../features/auth/components/sign-in.tsx';
import { destinationAfterSignIn, parseSignInLink } from '../features/auth/addresses.ts';
import { findPlace } from '../features/location/geolocation.ts';
import { Logo } from '../components/logo.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';
import { isSignedIn } from '../session/session.ts';
import { useAppSettings } from '../api/settings.ts';
import classes from './login-page.module.css';
import { paths } from './paths.ts';
import type { SignInState } from './require-session.tsx';

/** Accepts only addresses of the app, because the history state is not trusted. */
function safeReturnPath(state: unknown): string | undefined {
  const from = (state as Partial<SignInState> | null)?.from;
  return typeof from === 'string' && /^\/(?![/\\])/u.test(from) ? from : undefined;
}

const linkStyle = { py: 10, size: 'sm', c: 'dimmed' } as const;

export default function LoginPage() {
  useDocumentTitle('Sign in');
  const navigate = useNavigate();
  const { state, hash } = useLocation();
  const from = safeReturnPath(state);
  const { contactEmail } = useAppSettings();
  useEffect(() => {
    const leaving = new AbortController();
    findPlace(leaving.signal).catch(() => undefined);
    return () => leaving.abort();
  }, []);
  // Read once, as a sign-in on this page continues in `onDone`.
  const [wasSignedIn] = useState(isSignedIn);
  // A mailed link may belong to another account.
  if (wasSignedIn && !parseSignInLink(hash)) return <Navigate to={from ?? paths.search} replace />;
  return (
    <div className={classes.page}>
      <aside className={classes.picture} aria-label="About Engram">
        <Logo white />
        <div>
          <Text
            maw="max(12ch, 330px)"
            fz="clamp(24px, 3.2vw, 46px)"
            fw={650}
            lh={1.1}
            lts="-0.03em"
          >
            Your Data. Your AI. Your Brain. Your Way!
          </Text>
          <Text visibleFrom="sm" maw="46ch" mt={12}>
            Keep your files and notes in one place, ask in your own words, and get the answer with
            the page it comes from.
          </Text>
        </div>
      </aside>
      <Center component="main" py={40} px="var(--eg-gutter)" id="main" tabIndex={-1}>
        <Box w="min(360px, 100%)">
          <SignIn
            from={from}
            onDone={(session, returnTo) => {
              const path = safeReturnPath({ from: returnTo });
              void navigate(destinationAfterSignIn(session, path), { replace: true });
            }}
          />
          <Group component="nav" justify="space-between" mt={16} aria-label="More">
            <Anchor component={Link} {...linkStyle} to={paths.home}>
              Home
            </Anchor>
            {contactEmail ? (
              <Anchor {...linkStyle} href={`mailto:${contactEmail}`}>
                Contact
              </Anchor>
            ) : (
              <Anchor component={Link} {...linkStyle} to={paths.contact}>
                Contact
              </Anchor>
            )}
          </Group>
        </Box>
      </Center>
    </div>
  );
}

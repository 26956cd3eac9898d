import { ActionIcon, Button } from '@mantine/core';
import { IconLogout, IconMenu } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { ColorSchemeControl } from '../../../components/color-scheme-control.tsx';
import { Logo } from '../../../components/logo.tsx';
import { initialsOf, useProfile } from '../../../lib/account.ts';
import { useHasArtifacts, useSignedIn } from '../../../lib/use-session.ts';
import { useLogout } from '../api/logout.ts';
import classes from './header.module.css';

// Most visits never open it, and a drawer brings much with it.
const Menu = lazy(async () => ({ default: (await import('./menu.tsx')).Menu }));

/** On wide screens of a signed-in person: the way to the profile and out. */
function Account() {
  const { data: profile } = useProfile();
  const hasArtifacts = useHasArtifacts();
  const logout = useLogout();
  return (
    <>
      {hasArtifacts && profile && (
        <Link className={classes.avatar} to={paths.profile} title="Profile">
          <span aria-hidden="true">{initialsOf(profile)}</span>
          <span className="eg-visually-hidden">Profile</span>
        </Link>
      )}
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Logout"
        title="Logout"
        loading={logout.isPending}
        onClick={() => logout.mutate()}
      >
        <IconLogout size={18} stroke={1.7} />
      </ActionIcon>
    </>
  );
}

interface HeaderProps {
  /** On the app's own pages the sidebar takes the header's place from 768 pixels on. */
  smallScreensOnly?: boolean;
}

export function Header({ smallScreensOnly = false }: HeaderProps) {
  const signedIn = useSignedIn();
  const [opened, setOpened] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <header className={classes.header} data-small-only={smallScreensOnly || undefined}>
      <Link className={classes.logo} to={paths.home} aria-label="Engram, to the home page">
        <Logo />
      </Link>
      {!smallScreensOnly && (
        <div className={classes.wide}>
          <ColorSchemeControl />
          {signedIn ? (
            <Account />
          ) : (
            <Button component={Link} to={paths.login}>
              Login
            </Button>
          )}
        </div>
      )}
      <ActionIcon
        className={classes.hamburger ?? ''}
        variant="default"
        size={40}
        aria-label="Open the menu"
        aria-expanded={opened}
        onClick={() => {
          setWasOpened(true);
          setOpened(true);
        }}
      >
        <IconMenu size={18} stroke={1.7} />
      </ActionIcon>
      {wasOpened && (
        <Suspense>
          <Menu opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </header>
  );
}

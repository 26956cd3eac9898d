import { IconLogout, IconMenu, IconUserX } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { Link, NavLink } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { ColorSchemeControl } from '../../../components/color-scheme-control.tsx';
import { Logo } from '../../../components/logo.tsx';
import { useProfile } from '../../../session/account.ts';
import { useHasArtifacts, useSignedIn } from '../../../session/use-session.ts';
import { useLogout } from '../api/logout.ts';
import { deleteAccount } from '../places.ts';
import { siteLinks } from '../site-links.ts';
import { useDialog } from '../use-dialog.ts';
import { Avatar } from '../../../components/avatar.tsx';
import classes from './header.module.css';
import { IconButton, IconLink } from './icon-button.tsx';

// Most visits never open it, and a drawer brings much with it.
const Menu = lazy(async () => ({ default: (await import('./menu.tsx')).Menu }));

/** On wide screens of a signed-in person: the way to the profile, and the two ways out. */
function Account() {
  const { data: profile } = useProfile();
  const hasArtifacts = useHasArtifacts();
  const logout = useLogout();
  return (
    <>
      <IconLink icon={IconUserX} label="Delete Account" to={deleteAccount} />
      <IconButton
        icon={IconLogout}
        label="Logout"
        busy={logout.isPending}
        onClick={() => logout.mutate()}
      />
      {profile &&
        (hasArtifacts ? (
          <Link className={classes.profile} to={paths.profile} title="Profile">
            <Avatar profile={profile} size={36} />
            <span className="eg-visually-hidden">Profile</span>
          </Link>
        ) : (
          <span className={classes.profile} title={profile.email}>
            <Avatar profile={profile} size={36} />
          </span>
        ))}
    </>
  );
}

interface HeaderProps {
  /** On the app's own pages the sidebar takes the header's place from 768 pixels on. */
  smallScreensOnly?: boolean;
}

/** Logo, the pages around the app, and who is signed in; on small screens logo and menu. */
export function Header({ smallScreensOnly = false }: HeaderProps) {
  const signedIn = useSignedIn();
  const menu = useDialog();
  return (
    <header className={classes.header} data-small-only={smallScreensOnly || undefined}>
      <Link className={classes.logo} to={paths.home} aria-label="Engram, to the home page">
        <Logo />
      </Link>
      {!smallScreensOnly && (
        <div className={classes.wide}>
          <nav className={classes.site} aria-label="Site">
            {siteLinks.map(({ to, label }) => (
              <NavLink key={to} to={to}>
                {label}
              </NavLink>
            ))}
          </nav>
          <ColorSchemeControl />
          {signedIn ? (
            <Account />
          ) : (
            <Link className={classes.login} to={paths.login}>
              Login
            </Link>
          )}
        </div>
      )}
      <span className={classes.hamburger}>
        <IconButton
          icon={IconMenu}
          label="Open the menu"
          aria-expanded={menu.opened}
          onClick={(event) => menu.open(event.currentTarget)}
        />
      </span>
      {menu.wasOpened && (
        <Suspense>
          <Menu opened={menu.opened} onClose={menu.close} />
        </Suspense>
      )}
    </header>
  );
}

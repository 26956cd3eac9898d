import { lazyDialog } from '../../../components/lazy-part.tsx';
import { ActionIcon, Box, Button, Group } from '@mantine/core';
import { IconLogout, IconMenu, IconUserX } from '@tabler/icons-react';
import { Link, NavLink } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { useStore } from '../../../browser/store.ts';
import { Avatar } from '../../../components/avatar.tsx';
import { ColorSchemeControl } from '../../../components/color-scheme-control.tsx';
import { Logo } from '../../../components/logo.tsx';
import { useProfile } from '../../../session/account.ts';
import { useHasArtifacts, useSignedIn } from '../../../session/session.ts';
import { useLogout } from '../use-logout.ts';
import { deleteAccountLink, siteLinks } from '../destinations.ts';
import { menu } from '../dialogs.ts';
import classes from './header.module.css';

// Loaded on demand, because a drawer needs a lot of code.
const Menu = lazyDialog(() => import('./menu.tsx'));

const iconButton = (label: string) => ({
  'aria-label': label,
  title: label,
  variant: 'default' as const,
  size: 'var(--eg-control)',
});

function Account() {
  const { data: profile } = useProfile();
  const hasArtifacts = useHasArtifacts();
  const logout = useLogout();
  return (
    <>
      <ActionIcon
        component={Link}
        to={deleteAccountLink}
        {...iconButton('Delete Account')}
        variant="subtle"
        color="gray"
      >
        <IconUserX size={18} stroke={1.7} aria-hidden="true" />
      </ActionIcon>
      <ActionIcon
        {...iconButton('Logout')}
        disabled={logout.isPending}
        aria-busy={logout.isPending || undefined}
        onClick={() => logout.mutate()}
      >
        <IconLogout size={18} stroke={1.7} aria-hidden="true" />
      </ActionIcon>
      {profile &&
        (hasArtifacts ? (
          <Box component={Link} td="none" bdrs="50%" to={paths.profile} title="Profile">
            <Avatar profile={profile} size={36} />
            <span className="eg-visually-hidden">Profile</span>
          </Box>
        ) : (
          <span title={profile.email}>
            <Avatar profile={profile} size={36} />
          </span>
        ))}
    </>
  );
}

interface HeaderProps {
  /** For pages with a sidebar, which replaces the header from 768 pixels. */
  smallScreensOnly?: boolean;
}

export function Header({ smallScreensOnly = false }: HeaderProps) {
  const signedIn = useSignedIn();
  const isMenuOpen = useStore(menu.opened);
  return (
    <Group
      component="header"
      className={smallScreensOnly ? `${classes.header} ${classes.small}` : (classes.header ?? '')}
      pos="sticky"
      top={0}
      justify="space-between"
      wrap="nowrap"
      h="var(--eg-header)"
      px="var(--eg-gutter)"
      bg="var(--eg-body)"
    >
      <Box component={Link} py={8} to={paths.home} aria-label="Engram, to the home page">
        <Logo />
      </Box>
      {!smallScreensOnly && (
        <Group visibleFrom="sm" flex={1} wrap="nowrap" gap={8} miw={0}>
          <Group
            component="nav"
            className={classes.site}
            flex={1}
            wrap="nowrap"
            gap={0}
            aria-label="Site"
          >
            {siteLinks.map(({ to, label }) => (
              <NavLink key={to} to={to}>
                {label}
              </NavLink>
            ))}
          </Group>
          <ColorSchemeControl />
          {signedIn ? (
            <Account />
          ) : (
            <Button component={Link} to={paths.login}>
              Login
            </Button>
          )}
        </Group>
      )}
      <ActionIcon
        className={classes.small ?? ''}
        {...iconButton('Open the menu')}
        aria-expanded={isMenuOpen}
        onClick={(event) => menu.open(event.currentTarget)}
      >
        <IconMenu size={18} stroke={1.7} aria-hidden="true" />
      </ActionIcon>
      <Menu opened={isMenuOpen} />
    </Group>
  );
}

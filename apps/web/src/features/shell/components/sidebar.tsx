import { Box, Stack, UnstyledButton } from '@mantine/core';
import { Link, NavLink } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { ColorSchemeControl } from '../../../components/color-scheme-control.tsx';
import { InstallOffer } from '../../../components/install-offer.tsx';
import { Logo } from '../../../components/logo.tsx';
import { Navigation, PaletteButton, ProfileLink } from './navigation.tsx';
import classes from './sidebar.module.css';
import { IconClock, IconFile, IconPlus, IconSearch, type Icon } from '@tabler/icons-react';
import { uploadPanel } from '../../../artifacts/dialogs.ts';

export const Sidebar = () => (
  <Stack
    component="aside"
    className={classes.sidebar ?? ''}
    visibleFrom="sm"
    pos="sticky"
    top={0}
    h="100dvh"
    gap={18}
    px={12}
    py={16}
    aria-label="Sidebar"
  >
    <Box component={Link} px={10} to={paths.home} aria-label="Engram, to the home page">
      <Logo />
    </Box>
    <PaletteButton />
    <Navigation />
    <Stack gap={10} mt="auto">
      <hr />
      <InstallOffer />
      <ColorSchemeControl />
      <ProfileLink />
    </Stack>
  </Stack>
);

/** The most frequent actions on small screens. */
export function BottomBar() {
  return (
    <nav className={classes.bar} aria-label="Bottom bar">
      <BarLink to={paths.search} label="Ask" icon={IconSearch} />
      <BarLink to={paths.files} label="Files" icon={IconFile} />
      <UnstyledButton className={classes.entry} onClick={() => uploadPanel.set(true)}>
        <IconPlus size={22} stroke={1.7} aria-hidden="true" />
        Add
      </UnstyledButton>
      <BarLink to={paths.history} label="History" icon={IconClock} />
    </nav>
  );
}

const BarLink = ({ to, label, icon: LinkIcon }: { to: string; label: string; icon: Icon }) => (
  <NavLink className={classes.entry ?? ''} to={to}>
    <LinkIcon size={22} stroke={1.7} aria-hidden="true" />
    {label}
  </NavLink>
);

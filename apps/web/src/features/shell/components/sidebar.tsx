import { Box, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { ColorSchemeControl } from '../../../components/color-scheme-control.tsx';
import { InstallOffer } from '../../../components/install-offer.tsx';
import { Logo } from '../../../components/logo.tsx';
import { Navigation } from './navigation.tsx';
import { PaletteButton } from './palette-button.tsx';
import { Person } from './person.tsx';
import classes from './sidebar.module.css';

/** The left edge of the app from 768 pixels on. */
export function Sidebar() {
  return (
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
        <Person />
      </Stack>
    </Stack>
  );
}

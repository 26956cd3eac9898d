import { Stack } from '@mantine/core';
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
    <aside className={classes.sidebar} aria-label="Sidebar">
      <Link className={classes.logo} to={paths.home} aria-label="Engram, to the home page">
        <Logo />
      </Link>
      <PaletteButton />
      <Navigation />
      <Stack className={classes.foot} gap={10} pt={14} mt="auto">
        <InstallOffer />
        <ColorSchemeControl />
        <Person />
      </Stack>
    </aside>
  );
}

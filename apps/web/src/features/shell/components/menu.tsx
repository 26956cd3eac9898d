import { Button, Drawer, SimpleGrid, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { ColorSchemeControl } from '../../../components/color-scheme-control.tsx';
import { Entry } from '../../../components/buttons.tsx';
import { InstallOffer } from '../../../components/install-offer.tsx';
import { useSignedIn } from '../../../session/session.ts';
import { siteLinks } from '../destinations.ts';
import { menu } from '../dialogs.ts';
import { Navigation, PaletteButton, ProfileLink } from './navigation.tsx';

export default function Menu({ opened }: { opened: boolean }) {
  const signedIn = useSignedIn();
  // The main navigation already has the documentation.
  const links = siteLinks.filter(({ to }) => !signedIn || to !== paths.documentation);
  return (
    <Drawer
      opened={opened}
      onClose={menu.close}
      position="right"
      size="min(320px, 88vw)"
      title="Menu"
      returnFocus={false}
      closeButtonProps={{ 'aria-label': 'Close the menu' }}
    >
      <Stack gap={16}>
        {signedIn ? (
          <>
            <PaletteButton />
            <Navigation inMenu />
          </>
        ) : (
          <Button component={Link} to={paths.login} onClick={menu.close} size="md">
            Login
          </Button>
        )}
        <SimpleGrid component="nav" cols={2} spacing={0} aria-label="Site">
          {links.map(({ to, label }) => (
            <Entry component={Link} key={to} to={to} onClick={menu.close}>
              {label}
            </Entry>
          ))}
        </SimpleGrid>
        <InstallOffer />
        <ColorSchemeControl />
        {signedIn && <ProfileLink />}
      </Stack>
    </Drawer>
  );
}

import { Button, Drawer } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { ColorSchemeControl } from '../../../components/color-scheme-control.tsx';
import { useSignedIn } from '../../../lib/use-session.ts';
import classes from './menu.module.css';
import { Navigation } from './navigation.tsx';
import { Person } from './person.tsx';

interface MenuProps {
  opened: boolean;
  onClose: () => void;
}

/** The menu of small screens; it closes before anything it leads to opens. */
export function Menu({ opened, onClose }: MenuProps) {
  const signedIn = useSignedIn();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size="min(320px, 88vw)"
      title="Menu"
      closeButtonProps={{ 'aria-label': 'Close the menu' }}
    >
      <div className={classes.menu}>
        {signedIn ? (
          <Navigation profileLabel="Profile" onChoose={onClose} />
        ) : (
          <Button component={Link} to={paths.login} onClick={onClose} size="md">
            Login
          </Button>
        )}
        <div className={classes.foot}>
          <ColorSchemeControl />
          {signedIn && <Person onChoose={onClose} />}
        </div>
      </div>
    </Drawer>
  );
}

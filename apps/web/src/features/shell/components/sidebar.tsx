import { IconUserX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { ColorSchemeControl } from '../../../components/color-scheme-control.tsx';
import { InstallOffer } from '../../../components/install-offer.tsx';
import { Logo } from '../../../components/logo.tsx';
import { useDialog } from '../use-dialog.ts';
import { IconButton } from './icon-button.tsx';
import { LazyDeleteAccountModal } from './lazy-delete-account-modal.tsx';
import { Navigation } from './navigation.tsx';
import { Person } from './person.tsx';
import classes from './sidebar.module.css';

/** The left edge of the app from 768 pixels on. */
export function Sidebar() {
  const deletion = useDialog();
  return (
    <aside className={classes.sidebar} aria-label="Sidebar">
      <Link className={classes.logo} to={paths.home} aria-label="Engram, to the home page">
        <Logo />
      </Link>
      <Navigation />
      <div className={classes.foot}>
        <InstallOffer />
        <div className={classes.tools}>
          <ColorSchemeControl />
          <IconButton
            icon={IconUserX}
            label="Delete Account"
            onClick={(event) => deletion.open(event.currentTarget)}
          />
        </div>
        <Person />
      </div>
      <LazyDeleteAccountModal dialog={deletion} />
    </aside>
  );
}

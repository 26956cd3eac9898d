import { UnstyledButton } from '@mantine/core';
import { IconClock, IconFile, IconPlus, IconSearch, type Icon } from '@tabler/icons-react';
import { NavLink } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { useUploadPanel } from '../../../artifacts/dialogs.ts';
import classes from './bottom-bar.module.css';

/** What is done most, at a thumb's reach on small screens; the menu leads to everything else. */
export function BottomBar() {
  const uploadPanel = useUploadPanel();
  return (
    <nav className={classes.bar} aria-label="Bottom bar">
      <Way to={paths.search} label="Ask" icon={IconSearch} />
      <Way to={paths.files} label="Files" icon={IconFile} />
      <UnstyledButton className={classes.way} onClick={uploadPanel.open}>
        <IconPlus size={22} stroke={1.7} aria-hidden="true" />
        Add
      </UnstyledButton>
      <Way to={paths.history} label="History" icon={IconClock} />
    </nav>
  );
}

const Way = ({ to, label, icon: WayIcon }: { to: string; label: string; icon: Icon }) => (
  <NavLink className={classes.way ?? ''} to={to}>
    <WayIcon size={22} stroke={1.7} aria-hidden="true" />
    {label}
  </NavLink>
);

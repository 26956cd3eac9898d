import {
  IconBook,
  IconClock,
  IconFile,
  IconKey,
  IconLogout,
  IconSearch,
  IconTag,
  IconUser,
  type Icon,
} from '@tabler/icons-react';
import { NavLink } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { useUploadPanel } from '../../../lib/upload-panel.ts';
import { useFileCount } from '../api/count-files.ts';
import { useLogout } from '../api/logout.ts';
import classes from './navigation.module.css';

interface Entry {
  to: string;
  label: string;
  icon: Icon;
}

const entries = (profileLabel: string): Entry[] => [
  { to: paths.search, label: 'Search', icon: IconSearch },
  { to: paths.history, label: 'History', icon: IconClock },
  { to: paths.keywords, label: 'Keywords', icon: IconTag },
  { to: paths.files, label: 'Files', icon: IconFile },
  { to: paths.documentation, label: 'Doc', icon: IconBook },
  { to: paths.profile, label: profileLabel, icon: IconUser },
  { to: paths.api, label: 'Api', icon: IconKey },
];

interface NavigationProps {
  /** 'My Profile' in the sidebar, 'Profile' in the menu of small screens. */
  profileLabel: string;
  /** Called before anything is opened or left. */
  onChoose?: () => void;
}

/** The ways through the app, the Upload button and the way out. */
export function Navigation({ profileLabel, onChoose }: NavigationProps) {
  const files = useFileCount();
  const logout = useLogout();
  const uploadPanel = useUploadPanel();
  return (
    <nav className={classes.nav} aria-label="Main">
      <ul className={classes.list}>
        {entries(profileLabel).map(({ to, label, icon: EntryIcon }) => (
          <li key={to}>
            <NavLink className={classes.entry ?? ''} to={to} onClick={onChoose}>
              <EntryIcon size={18} stroke={1.7} aria-hidden="true" />
              {label}
              {to === paths.files && files !== undefined && (
                <span className={classes.count}>
                  {files.toLocaleString('en-US')}
                  <span className="eg-visually-hidden"> files</span>
                </span>
              )}
            </NavLink>
          </li>
        ))}
        <li>
          <button
            className={classes.entry}
            type="button"
            disabled={logout.isPending}
            onClick={() => {
              onChoose?.();
              logout.mutate();
            }}
          >
            <IconLogout size={18} stroke={1.7} aria-hidden="true" />
            Logout
          </button>
        </li>
      </ul>
      <button
        className={classes.upload}
        type="button"
        onClick={() => {
          onChoose?.();
          uploadPanel.open();
        }}
      >
        Upload
      </button>
    </nav>
  );
}

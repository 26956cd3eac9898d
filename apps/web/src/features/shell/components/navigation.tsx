import { Button, UnstyledButton } from '@mantine/core';
import { IconLogout, IconUserX } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Link, NavLink } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { readSession } from '../../../session/session.ts';
import { useUploadPanel } from '../../../uploads/upload-panel.ts';
import { useFileCount } from '../api/count-files.ts';
import { useLogout } from '../api/logout.ts';
import { deleteAccount, places } from '../places.ts';
import { profileSections, type ProfileState } from '../profile-sections.ts';
import classes from './navigation.module.css';

interface NavigationProps {
  /** Called before anything is opened or left. */
  onChoose?: () => void;
  /** Whether it is the menu of small screens, which also leads to the profile's sections. */
  inMenu?: boolean;
}

/** The ways through the app, the Upload button and the ways out. */
export function Navigation({ onChoose, inMenu = false }: NavigationProps) {
  const uploadPanel = useUploadPanel();
  return (
    <nav aria-label="Main">
      <ul>
        {places.map(({ to, label, icon: EntryIcon }) => (
          <Fragment key={to}>
            <li>
              <NavLink className={classes.entry ?? ''} to={to} onClick={onChoose}>
                <EntryIcon size={18} stroke={1.7} aria-hidden="true" />
                {inMenu && to === paths.profile ? 'Profile' : label}
                {to === paths.files && <FileCount />}
              </NavLink>
            </li>
            {inMenu && to === paths.profile && <ProfileSections onChoose={onChoose} />}
          </Fragment>
        ))}
        {inMenu && (
          <li>
            <Link className={classes.entry} to={deleteAccount} onClick={onChoose}>
              <IconUserX size={18} stroke={1.7} aria-hidden="true" />
              Delete Account
            </Link>
          </li>
        )}
        <Logout onChoose={onChoose} />
      </ul>
      <Button
        fullWidth
        mt={14}
        bg="var(--eg-solid)"
        c="var(--eg-on-solid)"
        onClick={() => {
          onChoose?.();
          uploadPanel.open();
        }}
      >
        Upload
      </Button>
    </nav>
  );
}

interface EntryProps {
  onChoose: (() => void) | undefined;
}

function FileCount() {
  const files = useFileCount();
  return (
    files !== undefined && (
      <span className={classes.aside}>
        {files.toLocaleString('en-US')}
        <span className="eg-visually-hidden">{files === 1 ? ' file' : ' files'}</span>
      </span>
    )
  );
}

function ProfileSections({ onChoose }: EntryProps) {
  const isAdmin = readSession('isAdmin') === 'true';
  return profileSections
    .filter(({ admin }) => !admin || isAdmin)
    .map(({ section, label, icon: SectionIcon }) => (
      <li key={section}>
        <Link
          className={classes.entry}
          data-section
          to={paths.profile}
          state={{ section } satisfies ProfileState}
          onClick={onChoose}
        >
          <SectionIcon size={17} stroke={1.7} aria-hidden="true" />
          {label}
        </Link>
      </li>
    ));
}

function Logout({ onChoose }: EntryProps) {
  const logout = useLogout();
  return (
    <li>
      <UnstyledButton
        className={classes.entry}
        disabled={logout.isPending}
        onClick={() => {
          onChoose?.();
          logout.mutate();
        }}
      >
        <IconLogout size={18} stroke={1.7} aria-hidden="true" />
        Logout
      </UnstyledButton>
    </li>
  );
}

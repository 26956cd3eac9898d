import { listArtifacts } from '@engram/contract/browser';
import { Button, Text } from '@mantine/core';
import { IconLogout, IconUserX } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Link, NavLink } from 'react-router';
import { useTotal } from '../../../api/use-call.ts';
import { paths } from '../../../app/paths.ts';
import { Entry } from '../../../components/entry.tsx';
import { readSession } from '../../../session/session.ts';
import { useUploadPanel } from '../../../artifacts/dialogs.ts';
import { useLogout } from '../use-logout.ts';
import { deleteAccount, places } from '../places.ts';
import { profileSections, type ProfileState } from '../profile-sections.ts';

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
              <Entry component={NavLink} to={to} onClick={onChoose}>
                <EntryIcon size={18} stroke={1.7} aria-hidden="true" />
                {inMenu && to === paths.profile ? 'Profile' : label}
                {to === paths.files && <FileCount />}
              </Entry>
            </li>
            {inMenu && to === paths.profile && <ProfileSections onChoose={onChoose} />}
          </Fragment>
        ))}
        {inMenu && (
          <li>
            <Entry component={Link} to={deleteAccount} onClick={onChoose} c="dimmed" fw={400}>
              <IconUserX size={18} stroke={1.7} aria-hidden="true" />
              Delete Account
            </Entry>
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
  const files = useTotal(listArtifacts, { query: { limit: 1 } });
  return (
    files !== undefined && (
      <Text span ms="auto" size="xs" c="inherit">
        {files.toLocaleString('en-US')}
        <span className="eg-visually-hidden">{files === 1 ? ' file' : ' files'}</span>
      </Text>
    )
  );
}

function ProfileSections({ onChoose }: EntryProps) {
  const isAdmin = readSession('isAdmin') === 'true';
  return profileSections
    .filter(({ admin }) => !admin || isAdmin)
    .map(({ section, label, icon: SectionIcon }) => (
      <li key={section}>
        <Entry
          component={Link}
          pl={40}
          to={paths.profile}
          state={{ section } satisfies ProfileState}
          onClick={onChoose}
        >
          <SectionIcon size={17} stroke={1.7} aria-hidden="true" />
          {label}
        </Entry>
      </li>
    ));
}

function Logout({ onChoose }: EntryProps) {
  const logout = useLogout();
  return (
    <li>
      <Entry
        disabled={logout.isPending}
        onClick={() => {
          onChoose?.();
          logout.mutate();
        }}
      >
        <IconLogout size={18} stroke={1.7} aria-hidden="true" />
        Logout
      </Entry>
    </li>
  );
}

import { listArtifacts } from '@engram/contract/browser';
import { Button, Text, Box } from '@mantine/core';
import { IconLogout, IconUserX, IconSearch } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Link, NavLink } from 'react-router';
import { useTotal } from '../../../api/use-call.ts';
import { paths } from '../../../app/paths.ts';
import { Entry } from '../../../components/buttons.tsx';
import { readSession, useHasArtifacts } from '../../../session/session.ts';
import { uploadPanel } from '../../../artifacts/dialogs.ts';
import { useLogout } from '../use-logout.ts';
import {
  deleteAccountLink,
  destinations,
  profileSections,
  type ProfileState,
} from '../destinations.ts';
import { menu, palette } from '../dialogs.ts';
import { paletteKeys } from '../palette.ts';
import type { Metrics } from '@engram/contract';
import { useMetrics, useProfile } from '../../../session/account.ts';
import { shortPlanName } from '../../../format/format.ts';
import { Avatar } from '../../../components/avatar.tsx';

/** Its entries close the menu of small screens before they open anything. */
export const Navigation = ({ inMenu = false }) => (
  <nav aria-label="Main">
    <ul>
      {destinations.map(({ to, label, icon: EntryIcon }) => (
        <Fragment key={to}>
          <li>
            <Entry component={NavLink} to={to} onClick={menu.close}>
              <EntryIcon size={18} stroke={1.7} aria-hidden="true" />
              {inMenu && to === paths.profile ? 'Profile' : label}
              {to === paths.files && <FileCount />}
            </Entry>
          </li>
          {inMenu && to === paths.profile && <ProfileSections />}
        </Fragment>
      ))}
      {inMenu && (
        <li>
          <Entry component={Link} to={deleteAccountLink} onClick={menu.close} c="dimmed" fw={400}>
            <IconUserX size={18} stroke={1.7} aria-hidden="true" />
            Delete Account
          </Entry>
        </li>
      )}
      <Logout />
    </ul>
    <Button
      fullWidth
      mt={14}
      bg="var(--eg-solid)"
      c="var(--eg-on-solid)"
      onClick={() => {
        menu.close();
        uploadPanel.set(true);
      }}
    >
      Upload
    </Button>
  </nav>
);

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

function ProfileSections() {
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
          onClick={menu.close}
        >
          <SectionIcon size={17} stroke={1.7} aria-hidden="true" />
          {label}
        </Entry>
      </li>
    ));
}

function Logout() {
  const logout = useLogout();
  return (
    <li>
      <Entry
        disabled={logout.isPending}
        onClick={() => {
          menu.close();
          logout.mutate();
        }}
      >
        <IconLogout size={18} stroke={1.7} aria-hidden="true" />
        Logout
      </Entry>
    </li>
  );
}

export const PaletteButton = () => (
  <Entry
    bd="1px solid var(--eg-line)"
    data-framed
    aria-keyshortcuts={paletteKeys().join('+').replace('Ctrl', 'Control').replace('⌘', 'Meta')}
    onClick={() => {
      menu.close();
      palette.open();
    }}
  >
    <IconSearch size={17} stroke={1.7} aria-hidden="true" />
    Find anything
    <Text span ms="auto" size="xs" c="dimmed" data-keys aria-hidden="true">
      {paletteKeys().join(' ')}
    </Text>
  </Entry>
);

/** 'Starter · 4 of 15 today', or 'Starter · 4 today' without a limit. */
function planLine(metrics: Metrics): string {
  const plan = shortPlanName(metrics.plan);
  if (metrics.status === 'Expired') return `${plan} · Expired`;
  const used = metrics.daily_queries_used;
  return metrics.enforced && metrics.daily_query_limit > 0
    ? `${plan} · ${used} of ${metrics.daily_query_limit} today`
    : `${plan} · ${used} today`;
}

export function ProfileLink() {
  const { data: profile } = useProfile();
  const { data: metrics } = useMetrics();
  const hasArtifacts = useHasArtifacts();
  if (!profile) return <Box mih={48} aria-hidden="true" />;
  const content = (
    <>
      <Avatar profile={profile} size={28} />
      <Box miw={0} mih="2.9em" fz={13} fw={400} lh={1.45}>
        <Text inherit truncate>
          {profile.name ?? profile.email}
        </Text>
        {metrics && (
          <Text inherit truncate c="dimmed">
            {planLine(metrics)}
          </Text>
        )}
      </Box>
    </>
  );
  return hasArtifacts ? (
    <Entry component={Link} to={paths.profile} onClick={menu.close} title={profile.email}>
      {content}
    </Entry>
  ) : (
    <Entry component="div" title={profile.email}>
      {content}
    </Entry>
  );
}

import {
  IconPalette,
  IconSettings,
  IconShieldLock,
  IconUser,
  type Icon,
} from '@tabler/icons-react';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { profileSections, type ProfileState } from '../features/shell/profile-sections.ts';
import { readSession } from '../session/session.ts';

/** The sections of the profile page, by the keys that addresses name them with. */
export type SectionKey =
  ProfileState['section'] | 'myprofile' | 'portfolio' | 'customization' | 'security';

export interface Section {
  section: SectionKey;
  label: string;
  icon: Icon;
  /** Shown to administrators alone. */
  admin?: boolean;
}

const sections: readonly Section[] = [
  { section: 'myprofile', label: 'My Profile', icon: IconUser },
  ...profileSections,
  { section: 'portfolio', label: 'General settings', icon: IconSettings },
  { section: 'customization', label: 'Customization', icon: IconPalette },
  { section: 'security', label: 'Security', icon: IconShieldLock },
];

/** The sections that this person may open. */
function openSections(): readonly Section[] {
  const isAdmin = readSession('isAdmin') === 'true';
  return sections.filter(({ admin }) => !admin || isAdmin);
}

/**
 * The section that is open: the one the menu sent, else the one the address names, else the first.
 * What the menu sent goes into the address, so that a reload and a link show it again.
 */
export function useProfileSection(): { sections: readonly Section[]; open: Section } {
  const { state, hash } = useLocation() as { state: ProfileState | null; hash: string };
  const navigate = useNavigate();
  const sent = state?.section;
  useEffect(() => {
    if (sent) void navigate({ hash: sent }, { replace: true, state: null });
  }, [sent, navigate]);
  const allowed = openSections();
  const key = sent ?? hash.slice(1);
  const open = allowed.find(({ section }) => section === key) ?? allowed[0];
  if (!open) throw new Error('The profile page has no section.');
  return { sections: allowed, open };
}

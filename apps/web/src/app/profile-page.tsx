import { Box, Title } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import {
  IconHourglassEmpty,
  IconPalette,
  IconSettings,
  IconShieldLock,
  IconUser,
  type Icon,
} from '@tabler/icons-react';
import { useEffect, useRef, type ComponentType } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useScrollToItem } from '../browser/use-scroll-to-item.ts';
import { Entry } from '../components/buttons.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { lazyPart } from '../components/lazy-part.tsx';
import { LoadingBlocks } from '../components/loading-blocks.tsx';
import { Page } from '../components/page.tsx';
import { useRecommendedQuestions } from '../features/search/api.ts';
import { profileSections, type ProfileState } from '../features/shell/destinations.ts';
import { readSession } from '../session/session.ts';
import { paths } from './paths.ts';
import classes from './profile-page.module.css';
import type { Arrival } from './use-search-screen.ts';

type SectionKey =
  ProfileState['section'] | 'myprofile' | 'portfolio' | 'customization' | 'security';

interface Section {
  section: SectionKey;
  label: string;
  icon: Icon;
  admin?: boolean;
}

const sections: readonly Section[] = [
  { section: 'myprofile', label: 'My Profile', icon: IconUser },
  ...profileSections,
  { section: 'portfolio', label: 'General settings', icon: IconSettings },
  { section: 'customization', label: 'Customization', icon: IconPalette },
  { section: 'security', label: 'Security', icon: IconShieldLock },
];

function openSections(): readonly Section[] {
  const isAdmin = readSession('isAdmin') === 'true';
  return sections.filter(({ admin }) => !admin || isAdmin);
}

/**
 * The open section: from the menu, else from the address, else the first one. The section from the menu
 * is written to the address, so that it survives a reload.
 */
function useProfileSection(): { sections: readonly Section[]; open: Section } {
  const { state, hash } = useLocation() as { state: ProfileState | null; hash: string };
  const navigate = useNavigate();
  const selected = state?.section;
  useEffect(() => {
    if (selected) void navigate({ hash: selected }, { replace: true, state: null });
  }, [selected, navigate]);
  const allowed = openSections();
  const key = selected ?? hash.slice(1);
  const open = allowed.find(({ section }) => section === key) ?? allowed[0];
  if (!open) throw new Error('The profile page has no section.');
  return { sections: allowed, open };
}

const upcoming = () => (
  <EmptyState
    icon={<IconHourglassEmpty size={24} stroke={1.6} />}
    title="Please check back soon"
    text="There are no settings here yet."
  />
);

const loading = <LoadingBlocks label="Loading the section" heights={[140, 280]} />;
const lazySection = (load: () => Promise<{ default: ComponentType }>) => lazyPart(load, loading);

const Models = lazyPart(() => import('../features/models/components/models.tsx'), loading);

function GeneralSection() {
  const navigate = useNavigate();
  const { refetch } = useRecommendedQuestions(false);
  const tryModel = async (): Promise<void> => {
    const [ask] = (await refetch()).data ?? [];
    const state: Arrival = ask === undefined ? {} : { ask };
    await navigate(paths.search, { state });
  };
  return <Models onTry={() => void tryModel()} />;
}

const contents: Record<SectionKey, ComponentType> = {
  myprofile: lazySection(() => import('./profile-section.tsx')),
  admin: lazySection(() => import('../features/admin/components/admin.tsx')),
  yourpreferences: lazySection(() => import('./preferences-section.tsx')),
  billing: lazySection(() => import('../features/billing/components/billing.tsx')),
  invoices: lazySection(() => import('../features/billing/components/invoices.tsx')),
  portfolio: GeneralSection,
  customization: upcoming,
  security: lazySection(() => import('./security-section.tsx')),
};

export default function ProfilePage() {
  const { sections, open } = useProfileSection();
  const heading = useRef<HTMLHeadingElement>(null);
  useDidUpdate(() => heading.current?.focus({ preventScroll: true }), [open.section]);
  const Content = contents[open.section];
  return (
    <Page title="Profile and settings">
      <div className={classes.layout}>
        <SectionNav sections={sections} open={open} />
        <Box component="section" miw={0} aria-labelledby="profile-section">
          <Title
            order={2}
            id="profile-section"
            ref={heading}
            mb={16}
            tabIndex={-1}
            data-section-heading
          >
            {open.label}
          </Title>
          <Content />
        </Box>
      </div>
    </Page>
  );
}

function SectionNav({ sections, open }: { sections: readonly Section[]; open: Section }) {
  const row = useScrollToItem<HTMLUListElement>(`[href$="#${open.section}"]`);
  return (
    <nav className={classes.nav} aria-label="Profile sections">
      <ul className={classes.sections} ref={row}>
        {sections.map(({ section, label, icon: SectionIcon }) => (
          <li key={section}>
            <Entry
              component={Link}
              to={{ hash: section }}
              aria-current={section === open.section ? 'page' : undefined}
            >
              <SectionIcon size={17} stroke={1.7} aria-hidden="true" />
              {label}
            </Entry>
          </li>
        ))}
      </ul>
    </nav>
  );
}

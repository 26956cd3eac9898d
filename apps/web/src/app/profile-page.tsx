import { Box, Title } from '@mantine/core';
import { IconHourglassEmpty } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef, type ComponentType } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { Entry } from '../components/entry.tsx';
import { LoadingBlocks } from '../components/loading-blocks.tsx';
import { Page } from '../components/page.tsx';
import classes from './profile-page.module.css';
import { useProfileSection, type Section, type SectionKey } from './profile-sections.ts';

const upcoming = () => (
  <EmptyState
    icon={<IconHourglassEmpty size={24} stroke={1.6} />}
    title="Please check back soon"
    text="There is nothing to set here yet."
  />
);

/** What each section holds; it is loaded when it is first opened. */
const contents: Record<SectionKey, ComponentType> = {
  myprofile: lazy(async () => ({
    default: (await import('./profile-section.tsx')).ProfileSection,
  })),
  admin: lazy(async () => ({
    default: (await import('../features/admin/components/admin.tsx')).Admin,
  })),
  yourpreferences: lazy(async () => ({
    default: (await import('./preferences-section.tsx')).PreferencesSection,
  })),
  billing: lazy(async () => ({
    default: (await import('../features/billing/components/billing.tsx')).Billing,
  })),
  invoices: lazy(async () => ({
    default: (await import('./invoices-section.tsx')).InvoicesSection,
  })),
  portfolio: lazy(async () => ({
    default: (await import('./general-section.tsx')).GeneralSection,
  })),
  customization: upcoming,
  security: lazy(async () => ({
    default: (await import('./security-section.tsx')).SecuritySection,
  })),
};

/** Profile and settings: the sections on the left (above, on small screens), the open one beside. */
export function ProfilePage() {
  const { sections, open } = useProfileSection();
  const heading = useHeadingFocus(open.section);
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
          <Suspense fallback={<LoadingBlocks label="Loading the section" heights={[140, 280]} />}>
            <Content />
          </Suspense>
        </Box>
      </div>
    </Page>
  );
}

/** Puts the focus on the heading of a section that was switched to. */
function useHeadingFocus(section: SectionKey) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(section);
  useEffect(() => {
    if (shown.current === section) return;
    shown.current = section;
    heading.current?.focus({ preventScroll: true });
  }, [section]);
  return heading;
}

interface SectionNavProps {
  sections: readonly Section[];
  open: Section;
}

/** The ways to the sections: a list beside them, and a row to push along on small screens. */
function SectionNav({ sections, open }: SectionNavProps) {
  const row = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // Not scrollIntoView, which may move the page, too.
    const current = row.current?.querySelector<HTMLElement>(`[href$="#${open.section}"]`);
    if (!row.current || !current) return;
    const middle = current.offsetLeft + current.offsetWidth / 2;
    row.current.scrollTo?.({ left: middle - row.current.clientWidth / 2 });
  }, [open.section]);
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

import { Anchor, Box, Group } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { scrollToTop } from '../../../browser/scroll-to-top.ts';
import { useAppSettings } from '../../../api/settings.ts';
import { useNow } from '../../../browser/use-now.ts';

// Most servers name no network, and the icons of all known ones are no small thing.
const SocialLinks = lazy(async () => ({
  default: (await import('./social-links.tsx')).SocialLinks,
}));

/** How all of the foot's links look, and what each of them does besides. */
const link = { py: 11, c: 'dimmed', fz: 13, onClick: scrollToTop };

/** The foot of every page. Each of its links also goes to the top. */
export function Footer() {
  const { socialLinks } = useAppSettings();
  const year = useNow().getFullYear();
  return (
    <Box component="footer">
      <hr />
      <Group justify="space-between" gap="0 24px" px="var(--eg-gutter)" py={7}>
        <Anchor component={Link} to={paths.home} {...link}>
          © {year} Engram
        </Anchor>
        <Group component="nav" gap="0 20px" aria-label="Footer">
          <Anchor component={Link} to={paths.terms} {...link}>
            Terms & Conditions
          </Anchor>
          <Anchor component={Link} to={paths.privacy} {...link}>
            Privacy Policy
          </Anchor>
          <Anchor component={Link} to={paths.contact} {...link}>
            Contact
          </Anchor>
          <Anchor component="button" type="button" {...link}>
            About Us
          </Anchor>
        </Group>
        {socialLinks.length > 0 && (
          <Suspense>
            <SocialLinks links={socialLinks} />
          </Suspense>
        )}
      </Group>
    </Box>
  );
}

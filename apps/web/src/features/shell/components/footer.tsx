import { lazyPart } from '../../../components/lazy-part.tsx';
import { Anchor, Box, Group } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { scrollToTop } from '../../../browser/motion.ts';
import { useAppSettings } from '../../../api/settings.ts';
import { useNow } from '../../../browser/clock.ts';

// Loaded on demand for its icons, as most servers have no social links.
const SocialLinks = lazyPart(() => import('./social-links.tsx'));

const link = { py: 11, c: 'dimmed', fz: 13, onClick: scrollToTop };

const pages = [
  { to: paths.terms, label: 'Terms & Conditions' },
  { to: paths.privacy, label: 'Privacy Policy' },
  { to: paths.contact, label: 'Contact' },
];

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
          {pages.map(({ to, label }) => (
            <Anchor key={to} component={Link} to={to} {...link}>
              {label}
            </Anchor>
          ))}
          <Anchor component="button" type="button" {...link}>
            About Us
          </Anchor>
        </Group>
        {socialLinks.length > 0 && <SocialLinks links={socialLinks} />}
      </Group>
    </Box>
  );
}

import { lazyPart } from '../../../components/lazy-part.tsx';
import { Anchor, Box, Group } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { scrollToTop } from '../../../browser/motion.ts';
import { useAppSettings } from '../../../api/settings.ts';
import { useNow } from '../../../browser/clock.ts';

// Loaded on demand, because of the icons. Most servers have no social links.
const SocialLinks = lazyPart(async () => (await import('./social-links.tsx')).SocialLinks);

const link = { py: 11, c: 'dimmed', fz: 13, onClick: scrollToTop };

/** The footer of every page. Its links also scroll to the top. */
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
        {socialLinks.length > 0 && <SocialLinks links={socialLinks} />}
      </Group>
    </Box>
  );
}

import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { scrollToTop } from '../../../browser/scroll-to-top.ts';
import { useAppSettings } from '../../../api/settings.ts';
import { useNow } from '../../../browser/use-now.ts';
import classes from './footer.module.css';

// Most servers name no network, and the icons of all known ones are no small thing.
const SocialLinks = lazy(async () => ({
  default: (await import('./social-links.tsx')).SocialLinks,
}));

/** The foot of every page. Each of its links also goes to the top. */
export function Footer() {
  const { socialLinks } = useAppSettings();
  const year = useNow().getFullYear();
  return (
    <footer className={classes.footer}>
      <Link to={paths.home} onClick={scrollToTop}>
        © {year} Engram
      </Link>
      <nav className={classes.links} aria-label="Footer">
        <Link to={paths.terms} onClick={scrollToTop}>
          Terms & Conditions
        </Link>
        <Link to={paths.privacy} onClick={scrollToTop}>
          Privacy Policy
        </Link>
        <Link to={paths.contact} onClick={scrollToTop}>
          Contact
        </Link>
        <button type="button" onClick={scrollToTop}>
          About Us
        </button>
      </nav>
      {socialLinks.length > 0 && (
        <Suspense>
          <SocialLinks links={socialLinks} />
        </Suspense>
      )}
    </footer>
  );
}

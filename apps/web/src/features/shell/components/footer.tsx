import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { useAppSettings } from '../../../lib/settings.ts';
import classes from './footer.module.css';

const year = new Date().getFullYear();

const toTop = (): void => window.scrollTo({ top: 0, behavior: 'smooth' });

/** The foot of every page. Each of its links also goes to the top. */
export function Footer() {
  const { socialLinks } = useAppSettings();
  return (
    <footer className={classes.footer}>
      <Link to={paths.home} onClick={toTop}>
        © {year} Engram
      </Link>
      <nav className={classes.links} aria-label="Footer">
        <Link to={paths.terms} onClick={toTop}>
          Terms & Conditions
        </Link>
        <Link to={paths.privacy} onClick={toTop}>
          Privacy Policy
        </Link>
        <Link to={paths.contact} onClick={toTop}>
          Contact
        </Link>
        <button type="button" onClick={toTop}>
          About Us
        </button>
        {socialLinks.map(({ name, url }) => (
          <a key={url} href={url} target="_blank" rel="noreferrer">
            {name}
          </a>
        ))}
      </nav>
    </footer>
  );
}
